"""Months of a library and its sessions: `load_scenario`, then `simulate` or `sweep`.

`simulate` gives one run of the real engine, `sweep` many libraries under several policies,
`sweep_gates` many sessions under several gates, `read_library` and `forecast` the months ahead of a
real library. All of them are names of `alembic_sim`.
"""
