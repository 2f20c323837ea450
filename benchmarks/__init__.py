"""How fast the Lightdash server is, as ratios to a bare server of the same SDK that makes the same request."""
