"""The frame around every page: menu, sidebar, the loaded evaluation or the reason why not."""
