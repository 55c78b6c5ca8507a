"""The declarative base: one naming convention, so that every constraint can be named in a migration on both databases."""

from typing import Any, ClassVar

from sqlalchemy import JSON, BigInteger, Double, Integer, MetaData
from sqlalchemy.orm import DeclarativeBase

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

BigKey = BigInteger().with_variant(Integer(), "sqlite")
"""A 64-bit surrogate key; SQLite only autoincrements a column declared INTEGER (which is 64-bit there)."""


class Base(DeclarativeBase):
    """Base of all models. Times are seconds since 1970 UTC as doubles: the same arithmetic on both databases."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        float: Double(),
        dict[str, Any]: JSON(none_as_null=True),
        list[str]: JSON(),
    }
