"""One file per migration, in order. A migration that was released is never changed."""
