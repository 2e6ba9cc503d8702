package dev.wishdir.quake3.server.combat;

import dev.wishdir.quake3.Quake3Captures;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.netchan.Netchan;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.FrameHistory;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The snapshots and usercmds of one client in a capture of OpenArena (legacy 71). */
final class CapturedFight {
    final List<Frame> frames = new ArrayList<>();

    /** Usercmds by their server time. */
    final TreeMap<Integer, Usercmd> usercmds = new TreeMap<>();

    final List<String> commands = new ArrayList<>();

    private final FrameHistory history = new FrameHistory();
    private Quake3Codec codec = new Quake3Codec(Protocol.OPENARENA_71, 0);
    private Netchan toServer = new Netchan(Side.SERVER, false, 0, 0);
    private Netchan toClient = new Netchan(Side.CLIENT, false, 0, 0);

    private CapturedFight() {}

    static CapturedFight read(String capture, int clientPort) {
        CapturedFight fight = new CapturedFight();
        for (Datagram datagram : Quake3Captures.FILES.datagrams(capture)) {
            byte[] data = datagram.payload().toArray();
            if (datagram.source().getPort() == clientPort) {
                fight.sent(data);
            } else if (datagram.destination().getPort() == clientPort) {
                fight.received(data);
            }
        }
        return fight;
    }

    private static boolean isOutOfBand(byte[] data) {
        return data.length >= 4 && data[0] == -1 && data[1] == -1 && data[2] == -1 && data[3] == -1;
    }

    private void sent(byte[] data) {
        byte[] message = isOutOfBand(data) ? null : toServer.receive(data);
        if (message == null) {
            return;
        }
        for (ClientMessage.Op op : codec.decodeClient(message).ops()) {
            if (op instanceof ClientMessage.ClientCommand c) {
                codec.clientCommands().receive(c.id(), c.text());
            } else if (op instanceof ClientMessage.Move m) {
                m.commands().forEach(each -> usercmds.put(each.serverTime(), each));
            }
        }
    }

    private void received(byte[] data) {
        if (isOutOfBand(data)) {
            List<String> words = OutOfBand.read(Bytes.wrap(data)).words();
            if (words.getFirst().equals("challengeresponse")) {
                codec = new Quake3Codec(Protocol.OPENARENA_71, Integer.parseInt(words.get(1)));
            }
            return;
        }
        byte[] message = toClient.receive(data);
        if (message == null) {
            return;
        }
        ServerMessage read = codec.decodeServer(message, toClient.incoming());
        for (ServerMessage.Op op : read.ops()) {
            switch (op) {
                case ServerMessage.Gamestate g -> {
                    codec.checksumFeed(g.checksumFeed());
                    codec.serverCommands().skipTo(g.serverCommandSequence());
                    history.gamestate(g);
                }
                case ServerMessage.ServerCommand c -> {
                    if (codec.serverCommands().receive(c.id(), c.text())) {
                        commands.add(c.text());
                    }
                }
                case Snapshot s -> {
                    Frame frame = history.add(toClient.incoming(), s);
                    if (frame != null && (s.flags() & Snapshot.NOT_ACTIVE) == 0) {
                        frames.add(frame);
                    }
                }
                case ServerMessage.Download _, ServerMessage.Voip _, ServerMessage.Nop _ -> {}
            }
        }
    }

    /** The usercmds after one time, up to another. */
    Map<Integer, Usercmd> between(int after, int to) {
        return usercmds.subMap(after, false, to, true);
    }
}
