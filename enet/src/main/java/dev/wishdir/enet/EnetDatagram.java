package dev.wishdir.enet;

import dev.wishdir.wire.Wire;

import java.util.ArrayList;
import java.util.List;

/**
 * One ENet datagram: a header and 1..32 commands.
 *
 * @param commands in wire order
 */
public record EnetDatagram(EnetHeader header, List<EnetCommand> commands) {
    /** Maximum number of commands of a datagram. */
    public static final int MAX_COMMANDS = 32;

    /** An argument for reading, which ignores it. */
    public static final EnetDatagram BLANK = new EnetDatagram(EnetHeader.BLANK, List.of());

    public EnetDatagram {
        commands = List.copyOf(commands);
    }

    /** Walks the header and the commands up to the end of the packet. */
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
