package dev.wishdir.inspect.lua;

import dev.wishdir.inspect.lua.Value.Choice;
import dev.wishdir.inspect.lua.Value.Expression;
import dev.wishdir.inspect.lua.Value.Failure;
import dev.wishdir.inspect.lua.Value.Kind;
import dev.wishdir.inspect.lua.Value.Known;
import dev.wishdir.inspect.lua.Value.Packet;
import dev.wishdir.inspect.lua.Value.Unbuilt;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.NopInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Translates one method to a Lua function, for given values of some parameters. What is known
 * before a packet is read is computed now; a branch on it leaves no trace.
 *
 * <p>Blocks of bytecode become labelled statements. Where several edges meet, the values that
 * differ are in variables: {@code l3} for local variable 3, {@code s0} for the lowest operand. A
 * value that turns out to differ later starts the translation again.
 */
final class MethodTranslator {
    /** A Lua function has at most 200 local variables. */
    private static final int MAX_VARIABLES = 180;

    private final CallTranslator calls;
    private final String title;
    private final List<Instruction> code = new ArrayList<>();
    private final Map<Label, Integer> labels = new HashMap<>();
    private final int[] edges;
    private final int slots;

    /** Kinds of the variables that hold values where edges meet, by block and variable. */
    private final Map<String, Kind> variables = new HashMap<>();

    private final Map<Integer, Frame> entries = new TreeMap<>();
    private final NavigableSet<Integer> pending = new TreeSet<>();
    private final Set<String> locals = new TreeSet<>();
    private final Output output;
    private boolean restart;

    /** The values of local variables and operands; null for a variable without a value. */
    private static final class Frame {
        final @Nullable Value[] variables;
        final List<Value> operands;

        Frame(@Nullable Value[] variables, List<Value> operands) {
            this.variables = variables;
            this.operands = operands;
        }

        Frame copy() {
            return new Frame(variables.clone(), new ArrayList<>(operands));
        }

        void replace(Value old, Value by) {
            Collections.replaceAll(operands, old, by);
            for (int i = 0; i < variables.length; i++) {
                if (old.equals(variables[i])) {
                    variables[i] = by;
                }
            }
        }
    }

    /** The statements so far. */
    private static final class Output implements Statements {
        private final StringBuilder text = new StringBuilder();
        private final Set<String> locals;
        private int temporaries;

        Output(Set<String> locals) {
            this.locals = locals;
        }

        @Override
        public void add(String statement) {
            text.append("  ").append(statement).append('\n');
        }

        @Override
        public Expression result(String expression, Kind kind) {
            String name = "t" + temporaries++;
            locals.add(name);
            add(name + " = " + expression);
            return new Expression(name, kind);
        }
    }

    MethodTranslator(CallTranslator calls, Class<?> owner, MethodModel method) {
        this.calls = calls;
        title = owner.getSimpleName() + "." + method.methodName().stringValue();
        var model = method.code().orElseThrow();
        model.forEach(element -> {
            switch (element) {
                case Instruction instruction -> code.add(instruction);
                case LabelTarget target -> labels.put(target.label(), code.size());
                default -> {}
            }
        });
        edges = new int[code.size() + 1];
        edges[0]++;
        for (int at = 0; at < code.size(); at++) {
            successors(at).forEach(next -> edges[next]++);
        }
        slots = ((java.lang.classfile.attribute.CodeAttribute) model).maxLocals();
        output = new Output(locals);
    }

    /** Whether the method has no branch, so that a call can be replaced by its result. */
    boolean isStraight() {
        return code.stream()
                .noneMatch(instruction ->
                        instruction instanceof BranchInstruction
                                || instruction instanceof TableSwitchInstruction
                                || instruction instanceof LookupSwitchInstruction
                                || instruction instanceof ThrowInstruction);
    }

    private List<Integer> successors(int at) {
        List<Integer> next = new ArrayList<>();
        switch (code.get(at)) {
            case BranchInstruction branch -> {
                next.add(position(branch.target()));
                if (branch.opcode() != Opcode.GOTO && branch.opcode() != Opcode.GOTO_W) {
                    next.add(at + 1);
                }
            }
            case TableSwitchInstruction table ->
                    addCases(next, table.cases(), table.defaultTarget());
            case LookupSwitchInstruction table ->
                    addCases(next, table.cases(), table.defaultTarget());
            case ReturnInstruction _, ThrowInstruction _ -> {}
            default -> next.add(at + 1);
        }
        return next;
    }

    private void addCases(List<Integer> to, List<SwitchCase> cases, Label otherwise) {
        cases.forEach(each -> to.add(position(each.target())));
        to.add(position(otherwise));
    }

    private int position(Label label) {
        Integer at = labels.get(label);
        if (at == null) {
            throw unsupported("a label");
        }
        return at;
    }

    private IllegalStateException unsupported(String what) {
        return new IllegalStateException(title + ": cannot translate " + what);
    }

    /**
     * Translates the method to a function.
     *
     * @param parameters of the method, in the order of local variables; those that are not known
     *     are the function's parameters
     */
    String function(String name, @Nullable Value[] parameters) {
        int begun = calls.begun();
        do {
            restart = false;
            calls.resetBegun(begun);
            entries.clear();
            pending.clear();
            locals.clear();
            output.text.setLength(0);
            output.temporaries = 0;
            entries.put(0, new Frame(Arrays.copyOf(parameters, slots), new ArrayList<>()));
            pending.add(0);
            // Values that meet at the beginning are in the variables of the parameters.
            Set<Integer> done = new HashSet<>();
            while (!pending.isEmpty() && !restart) {
                int block = pending.removeFirst();
                if (done.add(block)) {
                    output.text.append("  ::L").append(block).append("::\n");
                    block(block, Objects.requireNonNull(entries.get(block)).copy());
                }
            }
        } while (restart);
        StringBuilder lua = new StringBuilder("F." + name + " = function(w");
        for (Value parameter : parameters) {
            if (parameter instanceof Expression dynamic) {
                lua.append(", ").append(dynamic.lua());
                locals.remove(dynamic.lua());
            } else if (parameter instanceof Choice choice) {
                lua.append(", ").append(choice.index());
                locals.remove(choice.index());
            }
        }
        lua.append(")\n");
        if (locals.size() > MAX_VARIABLES) {
            throw unsupported("a method with " + locals.size() + " variables");
        }
        if (!locals.isEmpty()) {
            lua.append("  local ").append(String.join(", ", locals)).append('\n');
        }
        return lua.append(output.text).append("end\n").toString();
    }

    /** The result of a method without branches, with its statements added to another's. */
    @Nullable Value inline(@Nullable Value[] parameters, Statements statements) {
        Frame frame = new Frame(Arrays.copyOf(parameters, slots), new ArrayList<>());
        for (int at = 0; at < code.size(); at++) {
            if (code.get(at) instanceof ReturnInstruction back) {
                return back.opcode() == Opcode.RETURN ? null : frame.operands.removeLast();
            }
            step(at, code.get(at), frame, statements);
        }
        throw unsupported("a method without end");
    }

    private void block(int block, Frame frame) {
        int at = block;
        while (true) {
            Instruction instruction = code.get(at);
            switch (instruction) {
                case BranchInstruction branch -> {
                    branch(at, branch, frame);
                    return;
                }
                case TableSwitchInstruction table -> {
                    choose(table.cases(), table.defaultTarget(), frame);
                    return;
                }
                case LookupSwitchInstruction table -> {
                    choose(table.cases(), table.defaultTarget(), frame);
                    return;
                }
                case ReturnInstruction back -> {
                    output.add(
                            back.opcode() == Opcode.RETURN
                                    ? "do return end"
                                    : "do return " + orNil(frame.operands.removeLast()) + " end");
                    return;
                }
                case ThrowInstruction _ -> {
                    output.add(
                            frame.operands.removeLast() instanceof Failure failure
                                    ? "w:fail(" + failure.name() + ", " + failure.problem() + ")"
                                    : "w:fail(\"value\", \"is not allowed\")");
                    return;
                }
                default -> step(at, instruction, frame, output);
            }
            at++;
            if (edges[at] > 1) {
                output.add(edge(at, frame));
                return;
            }
        }
    }

    private static String orNil(Value value) {
        return switch (value) {
            case Expression(String lua, Kind _) -> lua;
            case Known known when known.isLiteral() -> Lua.literal(known.object());
            case Choice choice -> choice.index();
            default -> "nil";
        };
    }

    /** The statements of an edge to a block, which is then translated too. */
    private String edge(int target, Frame frame) {
        StringBuilder names = new StringBuilder();
        StringBuilder values = new StringBuilder();
        Frame incoming = frame.copy();
        if (edges[target] > 1) {
            for (int i = 0; i < slots; i++) {
                Value value = frame.variables[i];
                if (value != null) {
                    incoming.variables[i] = meet(target, "l" + i, value, names, values);
                }
            }
            for (int i = 0; i < frame.operands.size(); i++) {
                Value value = frame.operands.get(i);
                incoming.operands.set(i, meet(target, "s" + i, value, names, values));
            }
        }
        merge(target, incoming);
        pending.add(target);
        return (names.isEmpty() ? "" : names + " = " + values + " ") + "goto L" + target;
    }

    /** A value as the target has it, assigned to a variable unless it is known. */
    private Value meet(
            int target, String name, Value value, StringBuilder names, StringBuilder values) {
        Kind kind = variables.get(target + ":" + name);
        Value met =
                switch (value) {
                    case Expression expression ->
                            new Expression(name, kind == null ? expression.kind() : kind);
                    case Choice choice when kind == null -> new Choice(choice.options(), name);
                    default -> kind == null ? value : new Expression(name, kind);
                };
        if (!(met instanceof Expression) && !(met instanceof Choice)) {
            return met;
        }
        locals.add(name);
        String assigned =
                value instanceof Choice choice && met instanceof Expression
                        ? orNil(scalar(choice))
                        : orNil(value);
        if (!assigned.equals(name)) {
            names.append(names.isEmpty() ? "" : ", ").append(name);
            values.append(values.isEmpty() ? "" : ", ").append(assigned);
        }
        return met;
    }

    private void merge(int target, Frame incoming) {
        Frame entry = entries.putIfAbsent(target, incoming);
        if (entry == null) {
            return;
        }
        for (int i = 0; i < slots; i++) {
            Value before = entry.variables[i];
            Value now = incoming.variables[i];
            if (before == null || now == null) {
                entry.variables[i] = null;
            } else {
                compare(target + ":l" + i, before, now);
            }
        }
        for (int i = 0; i < entry.operands.size(); i++) {
            compare(target + ":s" + i, entry.operands.get(i), incoming.operands.get(i));
        }
    }

    private void compare(String variable, Value before, Value now) {
        if (!before.equals(now)) {
            Kind kind = kind(before) == kind(now) ? kind(now) : Kind.OTHER;
            if (kind == variables.put(variable, kind)) {
                throw unsupported("a loop over its first statement");
            }
            restart = true;
        }
    }

    private Kind kind(Value value) {
        return switch (value) {
            case Expression expression -> expression.kind();
            case Known known -> Kind.of(known.object());
            case Choice choice ->
                    scalar(choice) instanceof Expression plain ? plain.kind() : Kind.OTHER;
            default -> Kind.OTHER;
        };
    }

    private static Value scalar(Choice choice) {
        return Lua.choice(choice.options(), choice.index());
    }

    private void branch(int at, BranchInstruction branch, Frame frame) {
        int target = position(branch.target());
        Opcode opcode = branch.opcode();
        if (opcode == Opcode.GOTO || opcode == Opcode.GOTO_W) {
            output.add(edge(target, frame));
            return;
        }
        Value right =
                switch (opcode) {
                    case IF_ICMPEQ, IF_ICMPNE, IF_ICMPLT, IF_ICMPGE, IF_ICMPGT, IF_ICMPLE ->
                            frame.operands.removeLast();
                    case IF_ACMPEQ, IF_ACMPNE -> throw unsupported("a comparison of objects");
                    default -> new Known(0);
                };
        Value left = frame.operands.removeLast();
        Value outcome =
                switch (opcode) {
                    case IFNULL, IFNONNULL -> isNull(left, opcode == Opcode.IFNULL);
                    default -> Lua.compare(opcode.name(), number(left), number(right));
                };
        if (outcome instanceof Known(Object taken)) {
            output.add(edge(Integer.valueOf(1).equals(taken) ? target : at + 1, frame));
            return;
        }
        output.add("if " + ((Expression) outcome).lua() + " then " + edge(target, frame) + " end");
        output.add(edge(at + 1, frame));
    }

    private Value isNull(Value value, boolean expected) {
        return switch (value) {
            case Known known -> new Known((known.object() == null) == expected ? 1 : 0);
            case Packet _, Unbuilt _ -> new Known(expected ? 0 : 1);
            case Expression expression when expression.kind() != Kind.OTHER ->
                    new Known(expected ? 0 : 1);
            default -> throw unsupported("a comparison with null");
        };
    }

    private void choose(List<SwitchCase> cases, Label otherwise, Frame frame) {
        Value selector = number(frame.operands.removeLast());
        if (selector instanceof Known(Object object)) {
            Label target =
                    cases.stream()
                            .filter(each -> Objects.equals(each.caseValue(), object))
                            .map(SwitchCase::target)
                            .findFirst()
                            .orElse(otherwise);
            output.add(edge(position(target), frame));
            return;
        }
        String tested = output.result(((Expression) selector).lua(), Kind.INT).lua();
        for (SwitchCase each : cases) {
            output.add(
                    "if "
                            + tested
                            + " == "
                            + each.caseValue()
                            + " then "
                            + edge(position(each.target()), frame)
                            + " end");
        }
        output.add(edge(position(otherwise), frame));
    }

    private Value number(Value value) {
        Value plain = value instanceof Choice choice ? scalar(choice) : value;
        Kind kind = kind(plain);
        if (plain instanceof Choice
                || kind != Kind.INT && kind != Kind.LONG && kind != Kind.DOUBLE) {
            throw unsupported("a number that is " + value);
        }
        return plain;
    }

    private void step(int at, Instruction instruction, Frame frame, Statements statements) {
        List<Value> operands = frame.operands;
        switch (instruction) {
            case NopInstruction _ -> {}
            case ConstantInstruction constant -> operands.add(constant(constant.constantValue()));
            case LoadInstruction load ->
                    operands.add(Objects.requireNonNull(frame.variables[load.slot()]));
            case StoreInstruction store -> frame.variables[store.slot()] = operands.removeLast();
            case IncrementInstruction increment ->
                    frame.variables[increment.slot()] =
                            Lua.operate(
                                    "IADD",
                                    number(
                                            Objects.requireNonNull(
                                                    frame.variables[increment.slot()])),
                                    new Known(increment.constant()));
            case OperatorInstruction operator -> operate(operator.opcode(), operands);
            case ConvertInstruction convert ->
                    operands.add(
                            Lua.convert(convert.opcode().name(), number(operands.removeLast())));
            case FieldInstruction field -> field(field, operands);
            case InvokeInstruction invoke -> invoke(invoke, frame, statements);
            case InvokeDynamicInstruction invoke -> {
                int count = invoke.typeSymbol().parameterCount();
                operands.add(Lua.concatenated(invoke, removeLast(operands, count)));
            }
            case NewObjectInstruction object ->
                    operands.add(new Unbuilt(at, Reflected.load(object.className().asSymbol())));
            case NewPrimitiveArrayInstruction _, NewReferenceArrayInstruction _ -> {
                operands.removeLast();
                operands.add(Value.NOTHING);
            }
            case ArrayLoadInstruction _ -> {
                Value index = operands.removeLast();
                operands.add(element(operands.removeLast(), index));
            }
            case ArrayStoreInstruction _ -> {
                List<Value> stored = removeLast(operands, 3);
                if (stored.getFirst() instanceof Known) {
                    throw unsupported("a change of a constant array");
                }
            }
            case TypeCheckInstruction check -> {
                if (check.opcode() == Opcode.INSTANCEOF) {
                    Class<?> type = Reflected.load(check.type().asSymbol());
                    operands.add(isInstance(operands.removeLast(), type));
                }
            }
            case StackInstruction stack -> rearrange(stack.opcode(), operands);
            default -> throw unsupported(instruction.opcode().name());
        }
    }

    private static List<Value> removeLast(List<Value> operands, int count) {
        List<Value> last = operands.subList(operands.size() - count, operands.size());
        List<Value> removed = List.copyOf(last);
        last.clear();
        return removed;
    }

    private static Value constant(ConstantDesc constant) {
        return new Known(
                constant.equals(ConstantDescs.NULL)
                        ? null
                        : constant instanceof Float number
                                ? (Object) number.doubleValue()
                                : constant);
    }

    private void operate(Opcode opcode, List<Value> operands) {
        Value right = operands.removeLast();
        switch (opcode) {
            case ARRAYLENGTH -> {
                if (right instanceof Known(Object[] array)) {
                    operands.add(new Known(array.length));
                } else {
                    throw unsupported("the length of an array");
                }
            }
            case INEG, LNEG, DNEG -> operands.add(Lua.operate("ISUB", new Known(0), number(right)));
            default -> {
                Value left = operands.removeLast();
                operands.add(Lua.operate(opcode.name(), number(left), number(right)));
            }
        }
    }

    private void field(FieldInstruction field, List<Value> operands) {
        Class<?> owner = Reflected.load(field.owner().asSymbol());
        String name = field.name().stringValue();
        switch (field.opcode()) {
            case GETSTATIC -> operands.add(new Known(Reflected.field(owner, name, null)));
            case GETFIELD -> {
                Value target = operands.removeLast();
                operands.add(
                        switch (target) {
                            case Known(Object object) when object != null ->
                                    new Known(Reflected.field(owner, name, object));
                            case Choice choice ->
                                    Lua.choice(
                                            choice.options().stream()
                                                    .<Object>map(option ->
                                                            Reflected.field(owner, name, option))
                                                    .toList(),
                                            choice.index());
                            case Expression(String lua, Kind kind) when kind == Kind.RECORD ->
                                    new Expression(
                                            lua + "." + name,
                                            Lua.kind(Reflected.load(field.typeSymbol())));
                            default -> throw unsupported("the field " + name);
                        });
            }
            default -> throw unsupported("a change of the field " + name);
        }
    }

    private Value element(Value array, Value index) {
        if (!(array instanceof Known(Object[] items))) {
            return Value.NOTHING;
        }
        return number(index) instanceof Expression dynamic
                ? Lua.choice(Arrays.asList(items), dynamic.lua())
                : new Known(items[(int) Objects.requireNonNull(((Known) index).object())]);
    }

    private Value isInstance(Value value, Class<?> type) {
        return switch (value) {
            case Packet _ -> new Known(type == Writer.class ? 0 : 1);
            case Known known -> new Known(type.isInstance(known.object()) ? 1 : 0);
            default -> throw unsupported("instanceof " + type.getSimpleName());
        };
    }

    private void rearrange(Opcode opcode, List<Value> operands) {
        switch (opcode) {
            case POP -> operands.removeLast();
            case POP2 -> {
                Kind kind = kind(operands.removeLast());
                if (kind != Kind.LONG && kind != Kind.DOUBLE) {
                    operands.removeLast();
                }
            }
            case DUP -> operands.add(operands.getLast());
            case DUP_X1 -> operands.add(operands.size() - 2, operands.getLast());
            case SWAP -> operands.add(operands.size() - 1, operands.removeLast());
            default -> throw unsupported(opcode.name());
        }
    }

    private void invoke(InvokeInstruction invoke, Frame frame, Statements statements) {
        var type = invoke.typeSymbol();
        List<Value> arguments = removeLast(frame.operands, type.parameterCount());
        Value target = invoke.opcode() == Opcode.INVOKESTATIC ? null : frame.operands.removeLast();
        Call call =
                new Call(
                        Reflected.load(invoke.owner().asSymbol()),
                        invoke.name().stringValue(),
                        type,
                        target,
                        arguments);
        if (target instanceof Unbuilt unbuilt) {
            frame.replace(unbuilt, calls.construct(unbuilt.type(), arguments, statements));
            return;
        }
        Value result = calls.call(call, statements);
        if (result != null) {
            frame.operands.add(result);
        } else if (!type.returnType().descriptorString().equals("V")) {
            throw unsupported("a call of " + call.name());
        }
    }
}
