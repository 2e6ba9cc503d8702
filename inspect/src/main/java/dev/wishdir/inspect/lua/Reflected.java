package dev.wishdir.inspect.lua;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Classes as bytecode, and calls of what is known before a packet is read. */
final class Reflected {
    private static final String OURS = "dev.wishdir.";

    private final Map<Class<?>, ClassModel> models = new HashMap<>();

    /** Whether a class is of this project, so that its bytecode may be translated. */
    static boolean isOurs(Class<?> type) {
        return type.getName().startsWith(OURS);
    }

    static Class<?> load(ClassDesc type) {
        String name = type.descriptorString();
        if (type.isPrimitive()) {
            return switch (name) {
                case "I" -> int.class;
                case "J" -> long.class;
                case "Z" -> boolean.class;
                case "B" -> byte.class;
                case "S" -> short.class;
                case "C" -> char.class;
                case "D" -> double.class;
                case "F" -> float.class;
                default -> void.class;
            };
        }
        String binary = type.isArray() ? name : name.substring(1, name.length() - 1);
        try {
            return Class.forName(binary.replace('/', '.'));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("no class " + type.displayName(), e);
        }
    }

    /** The code of a method, also of a superclass; empty if it has none. */
    Optional<MethodModel> code(Class<?> owner, String name, String descriptor) {
        for (Class<?> type = owner; type != null && isOurs(type); type = type.getSuperclass()) {
            for (MethodModel method : model(type).methods()) {
                if (method.methodName().equalsString(name)
                        && method.methodType().equalsString(descriptor)
                        && method.code().isPresent()) {
                    return Optional.of(method);
                }
            }
        }
        return Optional.empty();
    }

    private ClassModel model(Class<?> type) {
        return models.computeIfAbsent(
                type,
                _ -> {
                    String file = type.getName().substring(type.getName().lastIndexOf('.') + 1);
                    try (InputStream in = type.getResourceAsStream(file + ".class")) {
                        if (in == null) {
                            throw new IllegalStateException("no class file of " + type);
                        }
                        return ClassFile.of().parse(in.readAllBytes());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    /** Calls a method whose object and arguments are known. */
    static @Nullable Object call(
            Class<?> owner,
            String name,
            MethodTypeDesc type,
            @Nullable Object target,
            List<? extends @Nullable Object> arguments) {
        Class<?>[] parameters =
                type.parameterList().stream().map(Reflected::load).toArray(Class<?>[]::new);
        @Nullable Object[] passed = new @Nullable Object[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            passed[i] = toJava(arguments.get(i), parameters[i]);
        }
        try {
            Method method = find(owner, name, parameters);
            if (isOurs(owner)) {
                method.setAccessible(true);
            }
            return fromJava(method.invoke(target, passed));
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(owner.getName() + "." + name + " failed", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot call " + owner.getName() + "." + name, e);
        }
    }

    private static Method find(Class<?> owner, String name, Class<?>[] parameters)
            throws NoSuchMethodException {
        for (Class<?> type = owner; type != null; type = type.getSuperclass()) {
            try {
                return type.getDeclaredMethod(name, parameters);
            } catch (NoSuchMethodException _) {
                // It may be inherited.
            }
        }
        return owner.getMethod(name, parameters);
    }

    /** The value of a field, static if there is no target. */
    static @Nullable Object field(Class<?> owner, String name, @Nullable Object target) {
        for (Class<?> type = owner; type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                if (isOurs(type)) {
                    field.setAccessible(true);
                }
                return fromJava(field.get(target));
            } catch (NoSuchFieldException _) {
                // It may be inherited.
            } catch (IllegalAccessException e) {
                throw new IllegalStateException("cannot read " + owner.getName() + "." + name, e);
            }
        }
        throw new IllegalStateException("no field " + owner.getName() + "." + name);
    }

    /** As bytecode has it: booleans and small numbers are ints. */
    static @Nullable Object fromJava(@Nullable Object value) {
        return switch (value) {
            case Boolean truth -> truth ? 1 : 0;
            case Byte number -> number.intValue();
            case Short number -> number.intValue();
            case Character c -> (int) c;
            case null, default -> value;
        };
    }

    private static @Nullable Object toJava(@Nullable Object value, Class<?> type) {
        if (!(value instanceof Integer number) || !type.isPrimitive()) {
            return value;
        }
        return switch (type.getName()) {
            case "boolean" -> number != 0;
            case "byte" -> number.byteValue();
            case "short" -> number.shortValue();
            case "char" -> (char) number.intValue();
            default -> number;
        };
    }
}
