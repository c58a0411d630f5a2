"""Reviews: collected views, their order, and the bar that walks them."""
