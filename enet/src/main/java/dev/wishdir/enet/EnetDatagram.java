package dev.wishdir.enet;

import dev.wishdir.wire.Wire;

import java.util.ArrayList;
import java.util.List;

/**
 * One ENet datagram: a header and 1..32 commands back to back.
 *
 * @param commands in wire order
 */
public record EnetDatagram(EnetHeader header, List<EnetCommand> commands) {
    /** The most commands that a datagram may hold. */
    public static final int MAX_COMMANDS = 32;

    /** A datagram for a reader to ignore. */
    public static final EnetDatagram BLANK = new EnetDatagram(EnetHeader.BLANK, List.of());

    /** Keeps a copy of the commands. */
    public EnetDatagram {
        commands = List.copyOf(commands);
    }

    /** Walks the header and then commands to the end of the packet. */
    public static EnetDatagram wire(Wire w, EnetDatagram m) {
        EnetHeader header = EnetHeader.wire(w, m.header);
        var commands = new ArrayList<EnetCommand>();
        while (w.reading() ? w.remaining() > 0 : commands.size() < m.commands.size()) {
            EnetCommand command = Wire.item(m.commands, commands.size(), EnetCommand.Ping.BLANK);
            w.bounded("commands", commands.size() + 1, MAX_COMMANDS);
            w.pushScope("commands.", commands.size());
            commands.add(EnetCommand.wire(w, command));
            w.popScope();
        }
        return new EnetDatagram(header, commands);
    }
}
