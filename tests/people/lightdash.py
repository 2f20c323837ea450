"""Lightdash's names, which are those of Nextcloud's too."""

from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE
from aboveboard.lightdash.settings import Place
from aboveboard.lightdash.sign_in import LightdashSignIn

__all__ = ["SERVICE", "LightdashSignIn", "Place", "Sandbox"]
