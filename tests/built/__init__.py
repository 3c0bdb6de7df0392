"""What has to be built or fetched first: these tests run with `make test-all`; what is missing fails then."""
