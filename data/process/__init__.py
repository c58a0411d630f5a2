"""Jobs in a child process with limits on memory, CPU and time; limits of a computation."""
