"""The static page of a share link, and the picture that stands for it in a chat."""
