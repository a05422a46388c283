"""The exercises, one a module: `eLL_N_title.py` defines `EXERCISE`, whose id is LL.N."""
