package dev.wishdir.inspect.lua;

import dev.wishdir.inspect.lua.Value.Choice;
import dev.wishdir.inspect.lua.Value.Expression;
import dev.wishdir.inspect.lua.Value.Kind;
import dev.wishdir.inspect.lua.Value.Known;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ConstantDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Expressions of Lua, with the meaning of Java's operators on ints. */
final class Lua {
    private Lua() {}

    /** A number or text. */
    static String literal(@Nullable Object value) {
        return switch (value) {
            case Number number when number.doubleValue() < 0 -> "(" + number + ")";
            case Number number -> number.toString();
            case String text -> quoted(text);
            case null, default -> throw new IllegalStateException("no literal in Lua: " + value);
        };
    }

    /** A text in quotes; all but printable ASCII as decimal escapes of its UTF-8. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (byte b : text.getBytes(java.nio.charset.StandardCharsets.UTF_8)) {
            if (b < ' ' || b == '"' || b == '\\' || b == 0x7F) {
                quoted.append(String.format(Locale.ROOT, "\\%03d", b & 0xFF));
            } else {
                quoted.append((char) b);
            }
        }
        return quoted.append('"').toString();
    }

    /** The expression of a value. */
    static String expression(Value value) {
        return switch (value) {
            case Known(Object object) -> literal(object);
            case Expression(String lua, Kind kind) when kind != Kind.OTHER -> lua;
            case Choice choice
                    when choice(choice.options(), choice.index()) instanceof Expression e ->
                    e.lua();
            default -> throw new IllegalStateException("no expression in Lua: " + value);
        };
    }

    /** One of several objects; an expression if all have literals. */
    static Value choice(List<? extends @Nullable Object> options, String index) {
        Kind kind = Kind.of(options.getFirst());
        if (kind == Kind.OTHER || options.stream().anyMatch(option -> Kind.of(option) != kind)) {
            return new Choice(new ArrayList<>(options), index);
        }
        return new Expression(
                "({"
                        + options.stream().map(Lua::literal).collect(Collectors.joining(", "))
                        + "})["
                        + index
                        + " + 1]",
                kind);
    }

    /** The kind of values of a type. */
    static Kind kind(Class<?> type) {
        if (type == long.class) {
            return Kind.LONG;
        } else if (type == double.class || type == float.class) {
            return Kind.DOUBLE;
        } else if (type.isPrimitive()) {
            return Kind.INT;
        } else if (type == String.class) {
            return Kind.TEXT;
        } else if (type == Bytes.class) {
            return Kind.BYTES;
        } else if (List.class.isAssignableFrom(type)) {
            return Kind.LIST;
        }
        return Reflected.isOurs(type) && (type.isRecord() || type.isSealed())
                ? Kind.RECORD
                : Kind.OTHER;
    }

    /** An operator of two numbers, named as in bytecode. */
    static Value operate(String name, Value left, Value right) {
        if (left instanceof Known(Object a) && right instanceof Known(Object b)) {
            return new Known(computed(name, (Number) a, (Number) b));
        }
        String a = expression(left);
        String b = expression(right);
        Kind kind =
                switch (name.charAt(0)) {
                    case 'I' -> Kind.INT;
                    case 'L' -> name.equals("LCMP") ? Kind.INT : Kind.LONG;
                    default ->
                            name.endsWith("CMPL") || name.endsWith("CMPG") ? Kind.INT : Kind.DOUBLE;
                };
        String lua =
                switch (name) {
                    case "IADD" -> "tobit(" + a + " + " + b + ")";
                    case "ISUB" -> "tobit(" + a + " - " + b + ")";
                    case "IMUL" -> "tobit(" + a + " * " + b + ")";
                    case "IDIV" -> "quotient(" + a + ", " + b + ")";
                    case "IREM" -> "math.fmod(" + a + ", " + b + ")";
                    case "IAND" -> "band(" + a + ", " + b + ")";
                    case "IOR" -> "bor(" + a + ", " + b + ")";
                    case "IXOR" -> "bxor(" + a + ", " + b + ")";
                    case "ISHL" -> "lshift(" + a + ", " + b + ")";
                    case "ISHR" -> "arshift(" + a + ", " + b + ")";
                    case "IUSHR" -> "tobit(rshift(" + a + ", " + b + "))";
                    case "LADD", "DADD" -> "(" + a + " + " + b + ")";
                    case "LSUB", "DSUB" -> "(" + a + " - " + b + ")";
                    case "LMUL", "DMUL" -> "(" + a + " * " + b + ")";
                    case "DDIV" -> "(" + a + " / " + b + ")";
                    case "LCMP", "DCMPL", "DCMPG" -> "order(" + a + ", " + b + ")";
                    default -> throw new IllegalStateException("no operator " + name + " in Lua");
                };
        return new Expression(lua, kind);
    }

    private static Object computed(String name, Number a, Number b) {
        int i = a.intValue();
        int j = b.intValue();
        return switch (name) {
            case "IADD" -> i + j;
            case "ISUB" -> i - j;
            case "IMUL" -> i * j;
            case "IDIV" -> i / j;
            case "IREM" -> i % j;
            case "IAND" -> i & j;
            case "IOR" -> i | j;
            case "IXOR" -> i ^ j;
            case "ISHL" -> i << j;
            case "ISHR" -> i >> j;
            case "IUSHR" -> i >>> j;
            case "LADD" -> a.longValue() + b.longValue();
            case "LSUB" -> a.longValue() - b.longValue();
            case "LMUL" -> a.longValue() * b.longValue();
            case "LAND" -> a.longValue() & b.longValue();
            case "LOR" -> a.longValue() | b.longValue();
            case "LCMP" -> Long.compare(a.longValue(), b.longValue());
            case "DADD" -> a.doubleValue() + b.doubleValue();
            case "DSUB" -> a.doubleValue() - b.doubleValue();
            case "DMUL" -> a.doubleValue() * b.doubleValue();
            case "DDIV" -> a.doubleValue() / b.doubleValue();
            default -> throw new IllegalStateException("no constant operator " + name);
        };
    }

    /** A comparison of two ints, named as in bytecode: known, or a condition of Lua. */
    static Value compare(String name, Value left, Value right) {
        String test = name.substring(name.length() - 2);
        if (left instanceof Known(Object a) && right instanceof Known(Object b)) {
            int order = Integer.compare(((Number) a).intValue(), ((Number) b).intValue());
            boolean holds =
                    switch (test) {
                        case "EQ" -> order == 0;
                        case "NE" -> order != 0;
                        case "LT" -> order < 0;
                        case "GE" -> order >= 0;
                        case "GT" -> order > 0;
                        default -> order <= 0;
                    };
            return new Known(holds ? 1 : 0);
        }
        String operator =
                switch (test) {
                    case "EQ" -> " == ";
                    case "NE" -> " ~= ";
                    case "LT" -> " < ";
                    case "GE" -> " >= ";
                    case "GT" -> " > ";
                    default -> " <= ";
                };
        return new Expression(expression(left) + operator + expression(right), Kind.INT);
    }

    /** A conversion of a number, named as in bytecode. */
    static Value convert(String name, Value value) {
        if (value instanceof Known(Object object)) {
            Number number = (Number) object;
            return new Known(
                    switch (name) {
                        case "I2L", "D2L" -> (Object) number.longValue();
                        case "I2D", "L2D", "F2D", "D2F", "I2F" -> number.doubleValue();
                        case "I2B" -> (int) number.byteValue();
                        case "I2S" -> (int) number.shortValue();
                        case "I2C" -> number.intValue() & 0xFFFF;
                        default -> number.intValue();
                    });
        }
        String lua = expression(value);
        return switch (name) {
            case "I2L" -> new Expression(lua, Kind.LONG);
            case "L2I" -> new Expression("tobit(" + lua + ")", Kind.INT);
            case "I2D", "L2D", "F2D", "D2F" -> new Expression(lua, Kind.DOUBLE);
            case "I2B" -> new Expression("arshift(lshift(" + lua + ", 24), 24)", Kind.INT);
            case "I2S" -> new Expression("arshift(lshift(" + lua + ", 16), 16)", Kind.INT);
            case "I2C" -> new Expression("band(" + lua + ", 65535)", Kind.INT);
            default -> throw new IllegalStateException("no conversion " + name + " in Lua");
        };
    }

    /** A concatenation of texts; the value of another dynamic call is not used. */
    static Value concatenated(InvokeDynamicInstruction invoke, List<Value> arguments) {
        if (!invoke.bootstrapMethod().methodName().equals("makeConcatWithConstants")
                || arguments.contains(Value.NOTHING)) {
            return Value.NOTHING;
        }
        List<ConstantDesc> constants = new ArrayList<>(invoke.bootstrapArgs());
        String recipe = (String) constants.removeFirst();
        StringBuilder fixed = new StringBuilder();
        List<String> parts = new ArrayList<>();
        int next = 0;
        for (int i = 0; i < recipe.length(); i++) {
            char c = recipe.charAt(i);
            if (c != '\1') {
                fixed.append(c == '\2' ? String.valueOf(constants.removeFirst()) : c);
                continue;
            }
            String type = invoke.typeSymbol().parameterType(next).descriptorString();
            Value argument = arguments.get(next++);
            if (argument instanceof Known(Object object)) {
                fixed.append(text(object, type));
                continue;
            }
            if (!fixed.isEmpty()) {
                parts.add(quoted(fixed.toString()));
                fixed.setLength(0);
            }
            parts.add(text(argument, type));
        }
        if (parts.isEmpty()) {
            return new Known(fixed.toString());
        }
        if (!fixed.isEmpty()) {
            parts.add(quoted(fixed.toString()));
        }
        return new Expression("(" + String.join(" .. ", parts) + ")", Kind.TEXT);
    }

    private static String text(@Nullable Object object, String type) {
        return switch (object) {
            case Integer truth when type.equals("Z") -> String.valueOf(truth != 0);
            case Integer c when type.equals("C") -> String.valueOf((char) (int) c);
            case null, default -> String.valueOf(object);
        };
    }

    private static String text(Value value, String type) {
        String lua = expression(value);
        return switch (type) {
            case "I", "B", "S", "J" -> "number_text(" + lua + ")";
            case "D", "F" -> "double_text(" + lua + ")";
            case "Z" -> "boolean_text(" + lua + ")";
            case "C" -> "string.char(" + lua + ")";
            default -> {
                if (value instanceof Expression(String _, Kind kind) && kind != Kind.TEXT) {
                    throw new IllegalStateException("no text in Lua: " + value);
                }
                yield lua;
            }
        };
    }
}
