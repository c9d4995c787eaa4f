"""What the environment says: model, endpoint, registry. The command line's options win over it. Read by `bootstrap`."""

from pydantic import SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """CLEANROOM_MODEL, CLEANROOM_API_BASE, CLEANROOM_API_KEY, CLEANROOM_RUNTIME."""

    model_config = SettingsConfigDict(env_prefix="CLEANROOM_", extra="ignore")

    model: str = "builtin"
    api_base: str | None = None
    api_key: SecretStr | None = None
    runtime: str | None = None
