package dev.wishdir.sauerbraten.map;

import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.sauerbraten.message.FlagMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A local map file.
 *
 * @param name of the file, without {@code .ogz}: the game's name of the map
 * @param crc as clients with this map report it
 * @param side of the map, units
 * @param bases with the flags of two teams; empty if the map has none
 * @param flags of teams, in the order in which messages number them
 */
public record MapFile(
        String name,
        Bytes bytes,
        int crc,
        int side,
        Optional<FlagBases> bases,
        List<FlagMessage.Placed> flags) {
    /** The option for the first map, and for a bot's map, without the prefix of the game. */
    public static final String OPTION = "map-file";

    private static final int MAX_BYTES = 16 << 20;

    /**
     * Reads a file.
     *
     * @throws IOException if it can't be read, is too large or not a map; the message says which
     */
    public static MapFile read(String path) throws IOException {
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            byte[] file = in.readNBytes(MAX_BYTES + 1);
            if (file.length > MAX_BYTES) {
                throw new IOException(path + " has more than the 16 MiB that players can download");
            }
            Bytes bytes = Bytes.wrap(file);
            String name = String.valueOf(Path.of(path).getFileName()).replaceFirst("\\.ogz$", "");
            Ogz map = Ogz.read(bytes);
            Optional<FlagBases> bases = map.bases(SauerbratenMotion.CENTERED);
            return new MapFile(name, bytes, map.crc(), map.worldsize(), bases, map.flags());
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + path, e);
        } catch (MalformedPacketException e) {
            throw new IOException(
                    path + " can't be read as a Sauerbraten map: " + e.getMessage(), e);
        }
    }
}
