"""The rules for bots that search: worlds that fit a view, playouts in them, and the worth of actions.

From the lowest to the highest::

    requests     the limits of requests, and the reasons for refusing one
    playouts     states played out by a policy
    evaluation   the worth of actions, by playouts in worlds that fit a view
    states       states as bytes that only this service can read
    answers      requests of RulesService to answers
    process      the process that answers, one request after the other
    pool         such processes, from the side of their service
"""
