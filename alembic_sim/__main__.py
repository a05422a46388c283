"""`python -m alembic_sim` is `alembic-sim`."""

from alembic_sim.cli import main

if __name__ == "__main__":
    main()
