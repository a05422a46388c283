"""A chart in a lesson: pixels that are the same each time, words, and a small file."""

from __future__ import annotations

import base64
import io

from matplotlib.axes import Axes
from PIL import Image

from alembic_sim.teaching.chart import chart


def slope(axes: Axes) -> None:
    axes.plot([1, 2, 3], color="#009E73")
    axes.set_ylabel("skills")


def test_it_is_a_bitmap_of_a_lesson_s_width_and_its_words() -> None:
    drawn = chart(slope, "It rises.")
    data, metadata = drawn._repr_mimebundle_()
    assert data["text/plain"] == "It rises." == repr(drawn)
    assert metadata == {"image/png": {"alt": "It rises."}}
    picture = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
    assert (picture.format, picture.size) == ("PNG", (700, 400))
    assert (0, 158, 115) in {colour for _count, colour in picture.convert("RGB").getcolors(999)}


def test_drawing_it_twice_gives_the_same_bytes_and_not_many() -> None:
    assert chart(slope, "a").png == chart(slope, "a").png
    assert len(chart(slope, "a").png) < 20_000


def test_another_plot_is_another_picture() -> None:
    assert chart(slope, "a").png != chart(lambda axes: axes.plot([3, 2, 1]), "a").png


def test_the_file_names_no_version() -> None:
    assert b"Software" not in chart(slope, "a").png
