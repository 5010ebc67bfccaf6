"""Reserves articles on shelves."""


def reserve(shelf, article, quantity):
    """Return the shelf after the reservation; KeyError when too little lies there."""
    if shelf.get(article, 0) < quantity:
        raise KeyError(article)
    return {**shelf, article: shelf[article] - quantity}
