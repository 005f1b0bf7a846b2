"""Small bridges to what others call: tools for a model that is called directly, retrievers for two frameworks."""
