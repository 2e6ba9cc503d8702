package dev.wishdir.inspect.lua;

import dev.wishdir.wire.dissect.StatelessWalk;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A script for Wireshark 3.6 and newer that dissects by translated walks.
 *
 * <p>It consists of {@code runtime.lua}, which reads a packet as a {@link dev.wishdir.wire.Tracer}
 * does, the names of all fields, a function for each walk, and a part of the caller's that passes
 * packets to these functions.
 */
public final class LuaScript {
    private LuaScript() {}

    /**
     * Translates walks. In {@code dispatch}, {@code walks.NAME(w)} is the function of a walk, and
     * {@code fields.PROTOCOL} has the fields of a protocol.
     *
     * @param handwritten functions of {@code dispatch} that replace methods which read one field
     *     and need classes of Java, by {@code CLASS.METHOD}
     * @param dispatch the end of the script
     * @throws IllegalStateException if a walk does what has no counterpart in Lua; the message says
     *     what
     */
    public static String of(
            List<StatelessWalk> walks, Map<String, String> handwritten, String dispatch) {
        WalkTranslator translator = new WalkTranslator(handwritten);
        StringBuilder names = new StringBuilder("local walks = {}\n");
        for (StatelessWalk walk : walks) {
            names.append("walks.").append(walk.name()).append(" = ");
            names.append("F.").append(translator.walk(walk)).append('\n');
        }
        return resource("runtime.lua")
                + fields(translator.fields())
                + translator.functions()
                + names
                + dispatch;
    }

    private static String resource(String name) {
        try (InputStream in = LuaScript.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The declarations of fields. A filter has the kind in it only where a name has several. */
    private static String fields(Map<String, Map<String, Set<String>>> protocols) {
        StringBuilder lua = new StringBuilder();
        protocols.forEach((protocol, fields) -> {
            Map<String, Set<String>> kinds = new TreeMap<>();
            fields.forEach((name, of) ->
                    kinds.computeIfAbsent(filter(name), _ -> new TreeSet<>()).addAll(of));
            fields.forEach((name, of) -> {
                for (String kind : of) {
                    boolean only = kinds.getOrDefault(filter(name), Set.of()).size() == 1;
                    lua.append(
                            String.format(
                                    Locale.ROOT,
                                    "field(%s, %s, %s, %s)%n",
                                    Lua.quoted(protocol),
                                    Lua.quoted(name),
                                    Lua.quoted(kind),
                                    Lua.quoted(filter(name) + (only ? "" : "_" + kind))));
                }
            });
        });
        return lua.append('\n').toString();
    }

    private static String filter(String name) {
        return name.replaceAll("[^A-Za-z0-9_]", "_");
    }
}
