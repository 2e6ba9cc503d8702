package dev.wishdir.inspect.lua;

import dev.wishdir.inspect.lua.Value.Expression;
import dev.wishdir.inspect.lua.Value.Kind;

/** Takes the statements of a Lua function. */
interface Statements {
    void add(String statement);

    /** Assigns an expression with side effects to a new variable; returns the variable. */
    Expression result(String expression, Kind kind);
}
