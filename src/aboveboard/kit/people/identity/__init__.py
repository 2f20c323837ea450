"""An identity provider of the operator's says who people are; the service's credential must be the same person's."""
