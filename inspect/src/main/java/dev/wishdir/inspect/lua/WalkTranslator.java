package dev.wishdir.inspect.lua;

import dev.wishdir.inspect.lua.Value.Choice;
import dev.wishdir.inspect.lua.Value.Expression;
import dev.wishdir.inspect.lua.Value.Failure;
import dev.wishdir.inspect.lua.Value.Kind;
import dev.wishdir.inspect.lua.Value.Known;
import dev.wishdir.inspect.lua.Value.Packet;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.dissect.StatelessWalk;

import org.jspecify.annotations.Nullable;

import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Translates walks and the methods that they call to functions of one Lua script. */
final class WalkTranslator implements CallTranslator {
    private static final Set<String> BOXES =
            Set.of(
                    "java.lang.Integer",
                    "java.lang.Long",
                    "java.lang.Double",
                    "java.lang.Boolean",
                    "java.lang.Character");

    private final Reflected classes = new Reflected();
    private final Map<String, String> handwritten;
    private final StringBuilder functions = new StringBuilder();
    private final Map<List<Object>, String> names = new HashMap<>();

    /** The kinds of the fields of each protocol, by name. */
    private final Map<String, Map<String, Set<String>>> fields = new TreeMap<>();

    private String protocol = "";

    /** The names of the fields that began and did not end; inner ones are not shown. */
    private final List<String> begun = new ArrayList<>();

    /**
     * @param handwritten functions of Lua that replace methods, by {@code CLASS.METHOD}; they get
     *     the wire and the name of the field, and return text
     */
    WalkTranslator(Map<String, String> handwritten) {
        this.handwritten = handwritten;
    }

    /** The functions so far. */
    String functions() {
        return functions.toString();
    }

    /** The kinds of the fields of each protocol, by name. */
    Map<String, Map<String, Set<String>>> fields() {
        return fields;
    }

    @Override
    public int begun() {
        return begun.size();
    }

    @Override
    public void resetBegun(int number) {
        begun.subList(number, begun.size()).clear();
    }

    /** Translates a walk; returns the name of its function, whose only parameter is the wire. */
    String walk(StatelessWalk walk) {
        protocol = walk.protocol();
        Method method =
                Arrays.stream(walk.type().getDeclaredMethods())
                        .filter(each -> each.getName().equals(walk.method()))
                        .filter(each -> each.getParameterCount() == walk.arguments().size() + 1)
                        .filter(each -> Wire.class.isAssignableFrom(each.getParameterTypes()[0]))
                        .findFirst()
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "no walk " + walk.method() + " in " + walk.type()));
        List<Value> arguments = new ArrayList<>();
        arguments.add(Packet.WIRE);
        walk.arguments().forEach(known -> arguments.add(new Known(Reflected.fromJava(known))));
        return function(
                walk.type(),
                classes.code(walk.type(), walk.method(), descriptor(method)).orElseThrow(),
                arguments);
    }

    private static String descriptor(Method method) {
        return java.lang.invoke.MethodType.methodType(
                        method.getReturnType(), method.getParameterTypes())
                .descriptorString();
    }

    /** The function of a method for given values of its parameters. */
    private String function(Class<?> owner, MethodModel method, List<Value> arguments) {
        List<Object> key = new ArrayList<>();
        key.add(owner.getName() + method.methodName() + method.methodType());
        key.add(protocol);
        key.add(!begun.isEmpty());
        for (Value argument : arguments) {
            switch (argument) {
                case Expression(String _, Kind kind) -> key.add(kind);
                case Choice(List<Object> options, String _) -> key.add(options);
                case Known known when known.isLiteral() -> key.add(known);
                // Of objects, only the same one has the same function.
                case Known(Object object) -> key.add(System.identityHashCode(object));
                default -> key.add(argument);
            }
        }
        String name = names.get(key);
        if (name == null) {
            name =
                    owner.getSimpleName()
                            + "_"
                            + method.methodName().stringValue()
                            + "_"
                            + names.size();
            names.put(key, name);
            String text =
                    new MethodTranslator(this, owner, method)
                            .function(name, parameters(method, arguments));
            functions.append(text).append('\n');
        }
        return name;
    }

    /** The local variables at the start of a method. */
    private static @Nullable Value[] parameters(MethodModel method, List<Value> arguments) {
        List<@Nullable Value> parameters = new ArrayList<>();
        boolean isStatic = method.flags().has(java.lang.reflect.AccessFlag.STATIC);
        List<ClassDesc> types = method.methodTypeSymbol().parameterList();
        for (int i = 0; i < arguments.size(); i++) {
            String slot = "l" + parameters.size();
            parameters.add(
                    switch (arguments.get(i)) {
                        case Expression(String _, Kind kind) -> new Expression(slot, kind);
                        case Choice(List<Object> options, String _) -> new Choice(options, slot);
                        case Value other -> other;
                    });
            int type = isStatic ? i : i - 1;
            if (type >= 0 && "JD".contains(types.get(type).descriptorString())) {
                parameters.add(null);
            }
        }
        return parameters.toArray(Value[]::new);
    }

    @Override
    public @Nullable Value call(Call call, Statements statements) {
        if (call.target() instanceof Packet) {
            return wire(call.name(), call.arguments(), statements);
        }
        if (call.isKnown()) {
            Object target = call.target() instanceof Known(Object object) ? object : null;
            Object result = call.result(target);
            return isVoid(call) ? null : new Known(result);
        }
        String replaced = handwritten.get(call.owner().getName() + "." + call.name());
        if (replaced != null && call.arguments().size() > 1) {
            String name = name(call.arguments().get(1), "text");
            return statements.result(replaced + "(w, " + name + ")", Kind.OTHER);
        }
        if (call.owner() == Wire.class && call.name().equals("item")) {
            return call.arguments().get(2);
        }
        Value simple = simple(call, statements);
        if (simple != null) {
            return simple;
        }
        Optional<MethodModel> code =
                Reflected.isOurs(call.owner())
                        ? classes.code(call.owner(), call.name(), call.type().descriptorString())
                        : Optional.empty();
        if (code.isEmpty() || call.target() instanceof Expression) {
            if (call.takesPacket()) {
                throw new IllegalStateException(
                        "cannot translate a call of " + call.owner() + "." + call.name());
            }
            return isVoid(call) ? null : Value.NOTHING;
        }
        return translated(call, code.get(), statements);
    }

    private static boolean isVoid(Call call) {
        return call.type().returnType().descriptorString().equals("V");
    }

    private @Nullable Value translated(Call call, MethodModel method, Statements statements) {
        List<Value> arguments = new ArrayList<>();
        if (call.target() != null) {
            arguments.add(call.target());
        }
        arguments.addAll(call.arguments());
        MethodTranslator straight = new MethodTranslator(this, call.owner(), method);
        if (!call.takesPacket() && straight.isStraight()) {
            return straight.inline(inlined(method, arguments), statements);
        }
        StringBuilder lua =
                new StringBuilder("F." + function(call.owner(), method, arguments) + "(w");
        for (Value argument : arguments) {
            switch (argument) {
                case Expression(String value, Kind _) -> lua.append(", ").append(value);
                case Choice choice -> lua.append(", ").append(choice.index());
                default -> {}
            }
        }
        lua.append(')');
        if (isVoid(call)) {
            statements.add(lua.toString());
            return null;
        }
        return statements.result(
                lua.toString(), Lua.kind(Reflected.load(call.type().returnType())));
    }

    /** As {@link #parameters}, with the expressions of the calling method. */
    private static @Nullable Value[] inlined(MethodModel method, List<Value> arguments) {
        @Nullable Value[] slots = parameters(method, arguments);
        int next = 0;
        for (int slot = 0; slot < slots.length; slot++) {
            if (slots[slot] != null) {
                slots[slot] = arguments.get(next++);
            }
        }
        return slots;
    }

    /** Calls of Java's own methods, and of values that are parts of the packet. */
    private static @Nullable Value simple(Call call, Statements statements) {
        List<Value> arguments = call.arguments();
        String owner = call.owner().getName();
        switch (call.target()) {
            case Choice choice when arguments.stream().allMatch(Known.class::isInstance) -> {
                return Lua.choice(
                        choice.options().stream().map(call::result).toList(), choice.index());
            }
            case Known(List<?> list) when call.name().equals("get") && arguments.size() == 1 -> {
                return Lua.choice(list, Lua.expression(arguments.getFirst()));
            }
            case Expression(String lua, Kind kind) -> {
                return BOXES.contains(owner) && call.name().endsWith("Value")
                        ? call.target()
                        : part(lua, kind, call, statements);
            }
            case null, default -> {}
        }
        if (BOXES.contains(owner) && call.name().equals("valueOf")) {
            return arguments.getFirst();
        }
        if (owner.equals("java.lang.Math") && Set.of("min", "max").contains(call.name())) {
            return new Expression(
                    "math."
                            + call.name()
                            + "("
                            + Lua.expression(arguments.get(0))
                            + ", "
                            + Lua.expression(arguments.get(1))
                            + ")",
                    Lua.kind(Reflected.load(call.type().returnType())));
        }
        if (owner.equals("java.util.List") && call.name().equals("copyOf")) {
            return arguments.getFirst();
        }
        if (Set.of("java.lang.Integer", "java.lang.Long").contains(owner)
                && call.name().equals("toString")) {
            return new Expression(
                    "number_text(" + Lua.expression(arguments.getFirst()) + ")", Kind.TEXT);
        }
        return null;
    }

    /** A call of a part of the packet. */
    private static @Nullable Value part(String lua, Kind kind, Call call, Statements statements) {
        String name = call.name();
        switch (kind) {
            case LIST -> {
                if (name.equals("add") && call.arguments().size() == 1) {
                    statements.add(lua + ".n = " + lua + ".n + 1");
                    if (call.arguments().getFirst() instanceof Expression item) {
                        statements.add(lua + "[" + lua + ".n] = " + item.lua());
                    }
                    return new Known(1);
                } else if (name.equals("size")) {
                    return statements.result(lua + ".n", Kind.INT);
                } else if (name.equals("isEmpty")) {
                    return statements.result("truth(" + lua + ".n == 0)", Kind.INT);
                }
            }
            case BYTES -> {
                if (name.equals("length")) {
                    return new Expression(lua + ".length", Kind.INT);
                } else if (name.equals("latin1")) {
                    return statements.result("w:latin1(" + lua + ")", Kind.TEXT);
                } else if (name.equals("equals")
                        && call.arguments().getFirst() instanceof Known(Bytes bytes)) {
                    return statements.result(
                            "w:same(" + lua + ", " + Lua.quoted(bytes.hex()) + ")", Kind.INT);
                }
            }
            case RECORD -> {
                if (call.owner().isRecord() && call.arguments().isEmpty()) {
                    for (RecordComponent component : call.owner().getRecordComponents()) {
                        if (component.getName().equals(name)) {
                            return new Expression(lua + "." + name, Lua.kind(component.getType()));
                        }
                    }
                }
            }
            default -> {}
        }
        return null;
    }

    @Override
    public Value construct(Class<?> type, List<Value> arguments, Statements statements) {
        if (List.class.isAssignableFrom(type)) {
            return statements.result("{n = 0}", Kind.LIST);
        }
        RecordComponent[] components = type.getRecordComponents();
        if (components == null || components.length != arguments.size()) {
            return Value.NOTHING;
        }
        StringBuilder table = new StringBuilder("{");
        for (int i = 0; i < components.length; i++) {
            String value =
                    switch (arguments.get(i)) {
                        case Expression(String lua, Kind _) -> lua;
                        case Known known when known.isLiteral() -> Lua.literal(known.object());
                        default -> "";
                    };
            if (!value.isEmpty()) {
                table.append(table.length() > 1 ? ", " : "");
                table.append(components[i].getName()).append(" = ").append(value);
            }
        }
        return statements.result(table.append('}').toString(), Kind.RECORD);
    }

    /** The name of a field of a kind, which is shown unless it is inside another. */
    private String name(Value name, String kind) {
        if (begun.isEmpty() && name instanceof Known(String known)) {
            fields.computeIfAbsent(protocol, _ -> new TreeMap<>())
                    .computeIfAbsent(known, _ -> new TreeSet<>())
                    .add(kind);
        }
        return Lua.expression(name);
    }

    /** A call of the wire. */
    private @Nullable Value wire(String method, List<Value> arguments, Statements statements) {
        return switch (method) {
            case "u8", "i8", "u16le", "u16be", "i16le", "i16be", "u24le", "i32le", "i32be" ->
                    field(method, arguments, Kind.INT, statements);
            case "u32le", "u32be", "i64le", "i64be" ->
                    field(method, arguments, Kind.LONG, statements);
            case "f32le", "f32be" -> field(method, arguments, Kind.DOUBLE, statements);
            case "bool" ->
                    statements.result("w:bool(" + name(arguments.getFirst(), "u8") + ")", Kind.INT);
            case "bytes", "rest" ->
                    statements.result(
                            "w:"
                                    + method
                                    + "("
                                    + name(arguments.getFirst(), "bytes")
                                    + ", "
                                    + Lua.expression(arguments.get(2))
                                    + ")",
                            Kind.BYTES);
            case "bounded" ->
                    statements.result(
                            "w:bounded("
                                    + Lua.expression(arguments.get(0))
                                    + ", "
                                    + Lua.expression(arguments.get(1))
                                    + ", "
                                    + Lua.expression(arguments.get(2))
                                    + ")",
                            Kind.INT);
            case "remaining", "position" -> statements.result("w:" + method + "()", Kind.INT);
            case "peek" ->
                    statements.result(
                            "w:peek(" + Lua.expression(arguments.getFirst()) + ")", Kind.INT);
            case "pushLimit" ->
                    statements.result(
                            "w:push_limit("
                                    + Lua.expression(arguments.get(0))
                                    + ", "
                                    + Lua.expression(arguments.get(1))
                                    + ")",
                            Kind.INT);
            case "reading", "tracing" -> new Known(1);
            case "slice", "traced" -> Value.NOTHING;
            case "malformed" ->
                    new Failure(
                            Lua.expression(arguments.get(0)),
                            arguments.get(1).equals(Value.NOTHING)
                                    ? "\"is not allowed\""
                                    : Lua.expression(arguments.get(1)));
            default -> {
                structure(method, arguments, statements);
                yield null;
            }
        };
    }

    private Value field(String method, List<Value> arguments, Kind kind, Statements statements) {
        String name = name(arguments.getFirst(), method.replaceAll("[lb]e$", ""));
        return statements.result("w:" + method + "(" + name + ")", kind);
    }

    /** A call of the wire that returns nothing. */
    private void structure(String method, List<Value> arguments, Statements statements) {
        switch (method) {
            case "begin" -> {
                String name = Lua.expression(arguments.getFirst());
                statements.add("w:begin(" + name + ")");
                begun.add(arguments.getFirst() instanceof Known(String known) ? known : "");
            }
            case "end" -> {
                String name = begun.removeLast();
                Value value = arguments.getFirst();
                Kind kind =
                        value instanceof Expression(String _, Kind of)
                                ? of
                                : Kind.of(((Known) value).object());
                String shown =
                        switch (kind) {
                            case INT -> "int";
                            case LONG -> "long";
                            case DOUBLE -> "double";
                            case TEXT -> "text";
                            default ->
                                    throw new IllegalStateException(
                                            "the field " + name + " has no value in Lua");
                        };
                name(new Known(name), shown);
                statements.add("w:finish(" + Lua.expression(value) + ", \"" + shown + "\")");
            }
            case "pushScope" -> {
                String name = Lua.expression(arguments.getFirst());
                statements.add(
                        arguments.size() == 1
                                ? "w:push_scope(" + name + ")"
                                : "w:push_scope("
                                        + name
                                        + " .. number_text("
                                        + Lua.expression(arguments.get(1))
                                        + "))");
            }
            case "popScope" -> statements.add("w:pop_scope()");
            case "popLimit" ->
                    statements.add("w:pop_limit(" + Lua.expression(arguments.getFirst()) + ")");
            case "annotate" ->
                    statements.add("w:annotate(" + Lua.expression(arguments.getFirst()) + ")");
            case "bits" -> {
                StringBuilder lua = new StringBuilder("w:bits(");
                lua.append(name(arguments.getFirst(), "bits"));
                for (Value argument : arguments.subList(1, 4)) {
                    lua.append(", ").append(Lua.expression(argument));
                }
                statements.add(lua.append(')').toString());
            }
            default -> throw new IllegalStateException("cannot translate the wire's " + method);
        }
    }
}
