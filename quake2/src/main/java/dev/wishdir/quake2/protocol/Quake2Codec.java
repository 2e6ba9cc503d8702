package dev.wishdir.quake2.protocol;

import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.Sound;
import dev.wishdir.quake2.message.TempEntity;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.Writer;

import java.util.List;

/**
 * Reads and writes messages by their numbers: one byte before each. A packet is a sequence of
 * numbered messages up to its end.
 *
 * <p>See docs/protocols/quake2.md, 3 and 4.
 */
public final class Quake2Codec {
    /** Identifier of the game. */
    public static final String GAME = "quake2";

    /** Default port of servers. */
    public static final int PORT = 27910;

    /** Protocol version. */
    public static final int PROTOCOL = 34;

    /** Number of a client's move. */
    public static final int MOVE = 2;

    /** The names of the server's messages by number. */
    private static final List<String> SERVER_MESSAGES =
            List.of(
                    "bad",
                    "muzzleflash",
                    "muzzleflash2",
                    "temp_entity",
                    "layout",
                    "inventory",
                    "nop",
                    "disconnect",
                    "reconnect",
                    "sound",
                    "print",
                    "stufftext",
                    "serverdata",
                    "configstring",
                    "spawnbaseline",
                    "centerprint",
                    "download",
                    "playerinfo",
                    "packetentities",
                    "deltapacketentities",
                    "frame");

    /** The names of a client's messages by number. */
    private static final List<String> CLIENT_MESSAGES =
            List.of("bad", "nop", "move", "userinfo", "stringcmd");

    private Quake2Codec() {}

    /**
     * Reads a message of the server.
     *
     * @throws dev.wishdir.wire.MalformedPacketException if it is malformed
     */
    public static ServerMessage readServer(Reader r) {
        return server(r, ServerMessage.Signal.NOP);
    }

    /** Writes a message of the server. */
    public static void write(Writer w, ServerMessage message) {
        server(w, message);
    }

    /**
     * Reads a message of a client.
     *
     * @throws dev.wishdir.wire.MalformedPacketException if it is malformed
     */
    public static ClientMessage readClient(Reader r) {
        return client(r, ClientMessage.Nop.NOP);
    }

    /** Writes a message of a client. */
    public static void write(Writer w, ClientMessage message) {
        client(w, message);
    }

    /**
     * Walks a message of the server with its number.
     *
     * @param message to write; ignored when reading
     * @throws dev.wishdir.wire.MalformedPacketException when reading an unknown number, or a part
     *     of a frame outside of a frame
     */
    public static ServerMessage server(Wire w, ServerMessage message) {
        int op = w.u8("svc", w.reading() ? 0 : number(message));
        if (w.tracing()) {
            w.annotate("svc " + op);
        }
        try {
            return body(w, op, message);
        } catch (MalformedPacketException e) {
            throw op < SERVER_MESSAGES.size() ? e.in("svc_" + SERVER_MESSAGES.get(op)) : e;
        }
    }

    private static ServerMessage body(Wire w, int op, ServerMessage message) {
        return switch (op) {
            case 1, 2 ->
                    ServerMessage.MuzzleFlash.wire(
                            w,
                            message instanceof ServerMessage.MuzzleFlash m
                                    ? m
                                    : new ServerMessage.MuzzleFlash(op == 2, 0, 0));
            case 3 -> TempEntity.wire(w, message instanceof TempEntity m ? m : TempEntity.BLANK);
            case 4 ->
                    ServerMessage.Layout.wire(
                            w,
                            message instanceof ServerMessage.Layout m
                                    ? m
                                    : ServerMessage.Layout.BLANK);
            case 5 ->
                    ServerMessage.Inventory.wire(
                            w,
                            message instanceof ServerMessage.Inventory m
                                    ? m
                                    : ServerMessage.Inventory.BLANK);
            case 6 -> ServerMessage.Signal.NOP;
            case 7 -> ServerMessage.Signal.DISCONNECT;
            case 8 -> ServerMessage.Signal.RECONNECT;
            case 9 -> Sound.wire(w, message instanceof Sound m ? m : Sound.BLANK);
            case 10 ->
                    ServerMessage.Print.wire(
                            w,
                            message instanceof ServerMessage.Print m
                                    ? m
                                    : ServerMessage.Print.BLANK);
            case 11 ->
                    ServerMessage.StuffText.wire(
                            w,
                            message instanceof ServerMessage.StuffText m
                                    ? m
                                    : ServerMessage.StuffText.BLANK);
            case 12 ->
                    ServerMessage.ServerData.wire(
                            w,
                            message instanceof ServerMessage.ServerData m
                                    ? m
                                    : ServerMessage.ServerData.BLANK);
            case 13 ->
                    ServerMessage.ConfigString.wire(
                            w,
                            message instanceof ServerMessage.ConfigString m
                                    ? m
                                    : ServerMessage.ConfigString.BLANK);
            case 14 ->
                    ServerMessage.SpawnBaseline.wire(
                            w,
                            message instanceof ServerMessage.SpawnBaseline m
                                    ? m
                                    : ServerMessage.SpawnBaseline.BLANK);
            case 15 ->
                    ServerMessage.CenterPrint.wire(
                            w,
                            message instanceof ServerMessage.CenterPrint m
                                    ? m
                                    : ServerMessage.CenterPrint.BLANK);
            case 16 ->
                    ServerMessage.Download.wire(
                            w,
                            message instanceof ServerMessage.Download m
                                    ? m
                                    : ServerMessage.Download.BLANK);
            case 20 -> Frame.wire(w, message instanceof Frame m ? m : Frame.BLANK);
            default -> throw w.malformed("svc", "is not a server message: " + op);
        };
    }

    private static int number(ServerMessage message) {
        return switch (message) {
            case ServerMessage.MuzzleFlash m -> m.monster() ? 2 : 1;
            case TempEntity _ -> 3;
            case ServerMessage.Layout _ -> 4;
            case ServerMessage.Inventory _ -> 5;
            case ServerMessage.Signal signal -> 6 + signal.ordinal();
            case Sound _ -> 9;
            case ServerMessage.Print _ -> 10;
            case ServerMessage.StuffText _ -> 11;
            case ServerMessage.ServerData _ -> 12;
            case ServerMessage.ConfigString _ -> 13;
            case ServerMessage.SpawnBaseline _ -> 14;
            case ServerMessage.CenterPrint _ -> 15;
            case ServerMessage.Download _ -> 16;
            case Frame _ -> 20;
        };
    }

    /**
     * Walks a message of a client with its number.
     *
     * @param message to write; ignored when reading
     * @throws dev.wishdir.wire.MalformedPacketException when reading an unknown number
     */
    public static ClientMessage client(Wire w, ClientMessage message) {
        int op = w.u8("clc", w.reading() ? 0 : number(message));
        if (w.tracing()) {
            w.annotate("clc " + op);
        }
        try {
            return body(w, op, message);
        } catch (MalformedPacketException e) {
            throw op < CLIENT_MESSAGES.size() ? e.in("clc_" + CLIENT_MESSAGES.get(op)) : e;
        }
    }

    private static ClientMessage body(Wire w, int op, ClientMessage message) {
        return switch (op) {
            case 1 -> ClientMessage.Nop.NOP;
            case MOVE -> Move.wire(w, message instanceof Move m ? m : Move.BLANK);
            case 3 ->
                    ClientMessage.UserInfo.wire(
                            w,
                            message instanceof ClientMessage.UserInfo m
                                    ? m
                                    : ClientMessage.UserInfo.BLANK);
            case 4 ->
                    ClientMessage.StringCmd.wire(
                            w,
                            message instanceof ClientMessage.StringCmd m
                                    ? m
                                    : ClientMessage.StringCmd.BLANK);
            default -> throw w.malformed("clc", "is not a client message: " + op);
        };
    }

    private static int number(ClientMessage message) {
        return switch (message) {
            case ClientMessage.Nop _ -> 1;
            case Move _ -> MOVE;
            case ClientMessage.UserInfo _ -> 3;
            case ClientMessage.StringCmd _ -> 4;
        };
    }
}
