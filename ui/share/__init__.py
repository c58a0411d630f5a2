"""The pages Shared links and Export, and the dialog that makes a link."""
