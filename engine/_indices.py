"""Array elements counted from the front only: a stage of the compiler for kernels that compute no negative index.

Python counts a negative index from the end, so that the machine code of each access with a computed index tests its sign and
adds the length if it is below 0. In kernels that are made of such accesses that is an eighth of all time.
"""

from typing import Any

from numba.core import ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonRewrites


@register_pass(mutates_CFG=False, analysis_only=False)  # type: ignore[no-untyped-call]  # numba has few types
class CountForward(FunctionPass):
    """Give every access to an array element an index without a sign."""

    _name = "count_forward"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # likewise

    def run_pass(self, state: Any) -> bool:
        """Change the types of the accesses, tell whether there was one; a constant index below 0 stays what it is."""
        changed = False
        for block in state.func_ir.blocks.values():
            for statement in block.body:
                access = statement.value if isinstance(statement, ir.Assign) else statement
                if isinstance(access, ir.SetItem) or (isinstance(access, ir.Expr) and access.op == "getitem"):
                    signature = state.calltypes.pop(access)  # an entry of this mapping can be set once
                    array, index, *rest = signature.args
                    if isinstance(array, types.Array):
                        signature = signature.replace(args=(array, _unsigned(index), *rest))
                        changed = True
                    state.calltypes[access] = signature
        return changed


class ForwardCompiler(CompilerBase):
    """Numba's own pipeline with `CountForward` once all types are known."""

    def define_pipelines(self) -> list[Any]:
        """Return the one pipeline, which does without Python objects."""
        stages = DefaultPassBuilder.define_nopython_pipeline(self.state)  # type: ignore[no-untyped-call]  # likewise
        stages.add_pass_after(CountForward, NopythonRewrites)
        stages.finalize()
        return [stages]


def _unsigned(index: Any) -> Any:
    """Return the type that an index of some type is read as."""
    if isinstance(index, types.BaseTuple):
        parts: Any = index
        return types.BaseTuple.from_types([_unsigned(part) for part in parts])  # type: ignore[no-untyped-call]  # likewise
    if isinstance(index, types.IntegerLiteral):
        return index
    return types.uintp if isinstance(index, types.Integer) else index
