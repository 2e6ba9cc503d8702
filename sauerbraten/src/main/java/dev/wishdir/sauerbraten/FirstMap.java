package dev.wishdir.sauerbraten;

import dev.wishdir.game.Serving;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * What a server begins with.
 *
 * @param name the map's name; empty for the empty world that every client makes itself
 * @param file the map's file; empty where the server has none
 * @param crc what a client that has loaded this file says
 */
record FirstMap(SauerbratenMode mode, String name, Bytes file, OptionalInt crc) {
    /** The name of the generated arena. */
    static final String ARENA = "wishdir";

    private static final int LONGEST_FILE = 16 << 20;

    /** The operator's map, or the generated arena in coop edit, where players fetch it. */
    static FirstMap of(Serving serving) throws IOException {
        String path = serving.options().getOrDefault(SauerbratenGame.MAP_FILE, "");
        String wished = serving.options().getOrDefault(SauerbratenGame.MODE, "");
        if (!path.isEmpty()) {
            Bytes file = read(Path.of(path));
            String name = serving.map().isEmpty() ? nameOf(Path.of(path)) : serving.map();
            return new FirstMap(mode(wished, SauerbratenMode.FFA), name, file, crc(path, file));
        }
        if (!serving.map().isEmpty()) {
            return new FirstMap(
                    mode(wished, SauerbratenMode.FFA),
                    serving.map(),
                    Bytes.EMPTY,
                    OptionalInt.empty());
        }
        Ogz arena = Ogz.arena("Wishdir", Ogz.arenaStarts());
        return new FirstMap(
                mode(wished, SauerbratenMode.COOP_EDIT),
                ARENA,
                arena.file(),
                OptionalInt.of(arena.crc()));
    }

    private static SauerbratenMode mode(String wished, SauerbratenMode otherwise) {
        if (wished.isEmpty()) {
            return otherwise;
        }
        if (wished.matches("[0-9]{1,2}")
                && new SauerbratenMode(Integer.parseInt(wished)).supported()) {
            return new SauerbratenMode(Integer.parseInt(wished));
        }
        throw new IllegalArgumentException(
                "--sauerbraten-mode must be a number from 0 to 8, is " + wished);
    }

    private static Bytes read(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] file = in.readNBytes(LONGEST_FILE + 1);
            if (file.length > LONGEST_FILE) {
                throw new IOException(path + " is longer than the 16 MiB that players can fetch");
            }
            return Bytes.wrap(file);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no map file " + path, e);
        }
    }

    private static String nameOf(Path path) {
        return String.valueOf(path.getFileName()).replaceFirst("\\.ogz$", "");
    }

    private static OptionalInt crc(String path, Bytes file) throws IOException {
        try {
            return OptionalInt.of(Ogz.read(file).crc());
        } catch (MalformedPacketException e) {
            throw new IOException(path + " is no Sauerbraten map: " + e.getMessage(), e);
        }
    }
}
