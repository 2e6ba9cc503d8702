package dev.wishdir.inspect;

import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Writes messages as PDML, the XML of Wireshark's dissections: a {@code packet} for each packet, a
 * {@code proto} for each message in it, a {@code field} for each field. It is complete after {@link
 * #close}.
 *
 * <p>A {@code pos} counts bytes from the start of the message, which may consist of several
 * datagrams. Fields with a position come from the trace; the values of the message, which may also
 * depend on earlier ones, follow in a field {@code values}. Control and other invisible characters
 * are escaped as in {@link TextListing}, so all text is valid in XML 1.0.
 *
 * <p>Not thread-safe. Source: README.xml-output of Wireshark.
 */
public final class PdmlWriter implements Consumer<DissectedMessage>, AutoCloseable {
    private static final String STYLE_SHEET = "type=\"text/xsl\" href=\"pdml2html.xsl\"";

    private final Writer out;
    private final XMLStreamWriter xml;
    private String file = "";
    private long frame;
    private boolean inPacket;

    /**
     * Begins the document.
     *
     * @param creator name and version of the program
     * @param files names of the captures
     * @throws UncheckedIOException if it cannot be written
     */
    public PdmlWriter(Writer out, String creator, String files) {
        this.out = out;
        try {
            xml = XMLOutputFactory.newInstance().createXMLStreamWriter(out);
            xml.writeStartDocument("utf-8", "1.0");
            newLine();
            xml.writeProcessingInstruction("xml-stylesheet", STYLE_SHEET);
            newLine();
            xml.writeStartElement("pdml");
            attribute("version", "0");
            attribute("creator", creator);
            attribute("capture_file", files);
            newLine();
        } catch (XMLStreamException e) {
            throw failure(e);
        }
    }

    private static UncheckedIOException failure(XMLStreamException e) {
        return new UncheckedIOException(
                e.getNestedException() instanceof IOException why ? why : new IOException(e));
    }

    /** Begins another capture, whose packets have their own numbers. */
    public void begin(String name) {
        file = name;
        endPacket();
    }

    /**
     * Writes a message.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    @Override
    public void accept(DissectedMessage message) {
        if (inPacket && message.frame() != frame) {
            endPacket();
        }
        try {
            if (!inPacket) {
                beginPacket(message);
            }
            write(message);
        } catch (XMLStreamException e) {
            throw failure(e);
        }
    }

    private void beginPacket(DissectedMessage message) throws XMLStreamException {
        inPacket = true;
        frame = message.frame();
        xml.writeStartElement("packet");
        newLine();
        String number = Long.toString(frame);
        beginProto("geninfo", "General information");
        field("num", "Number", number, Long.toHexString(frame));
        xml.writeEndElement();
        newLine();
        beginProto("frame", "Frame " + number + (file.isEmpty() ? "" : " of " + file));
        field("frame.number", "Frame Number: " + number, number, "");
        if (!Double.isNaN(message.time())) {
            String time = String.format(Locale.ROOT, "%.9f", message.time());
            field("frame.time_relative", "Time: " + time + " seconds", time, "");
        }
        xml.writeEndElement();
        newLine();
    }

    private void endPacket() {
        if (inPacket) {
            inPacket = false;
            try {
                xml.writeEndElement();
                newLine();
            } catch (XMLStreamException e) {
                throw failure(e);
            }
        }
    }

    private void write(DissectedMessage message) throws XMLStreamException {
        String name = message.game() + "." + message.name();
        List<Traced> trace = message.trace();
        int bits = trace.stream().mapToInt(field -> field.bit() + field.bits()).max().orElse(0);
        xml.writeStartElement("proto");
        attribute("name", message.game());
        attribute(
                "showname",
                message.name()
                        + ", "
                        + message.direction().label()
                        + (message.client() == 0 ? "" : " " + message.client()));
        attribute("size", Integer.toString(bits + Byte.SIZE - 1 >> 3));
        attribute("pos", "0");
        newLine();
        field(message.game() + ".message", "message: " + message.name(), message.name(), "");
        Iterator<Traced> fields = trace.iterator();
        boolean open = false;
        while (fields.hasNext()) {
            Traced field = fields.next();
            // The parts of a field are inside it.
            if (open && !field.part()) {
                xml.writeEndElement();
                newLine();
            }
            beginField(
                    name + "." + field.name(),
                    field.name() + ": " + field.meaning(),
                    field.meaning(),
                    field.part() ? "" : field.raw());
            attribute("pos", Integer.toString(field.bit() / Byte.SIZE));
            int last = field.bit() % Byte.SIZE + field.bits();
            attribute("size", Integer.toString(last + Byte.SIZE - 1 >> 3));
            if (field.part()) {
                xml.writeEndElement();
            } else {
                open = true;
            }
            newLine();
        }
        if (open) {
            xml.writeEndElement();
            newLine();
        }
        if (!message.fields().isEmpty()) {
            beginField(name + ".values", "values", "", "");
            newLine();
            for (Map.Entry<String, ?> value : message.fields().entrySet()) {
                value(name, value.getKey(), value.getValue());
            }
            xml.writeEndElement();
            newLine();
        }
        xml.writeEndElement();
        newLine();
    }

    /** A value; of a list or structure, the fields of its items, inside. */
    private void value(String parent, String key, @Nullable Object value)
            throws XMLStreamException {
        String name = parent + "." + key;
        switch (value) {
            case Map<?, ?> fields -> {
                beginField(name, key, "", "");
                newLine();
                for (Map.Entry<?, ?> field : fields.entrySet()) {
                    value(name, String.valueOf(field.getKey()), field.getValue());
                }
                xml.writeEndElement();
            }
            case Iterable<?> items -> {
                beginField(name, key, "", "");
                newLine();
                int number = 0;
                for (Object item : items) {
                    value(name, Integer.toString(number++), item);
                }
                xml.writeEndElement();
            }
            case null, default -> {
                String text = String.valueOf(value);
                beginField(name, key + ": " + text, text, "");
                xml.writeEndElement();
            }
        }
        newLine();
    }

    private void beginProto(String name, String title) throws XMLStreamException {
        xml.writeStartElement("proto");
        attribute("name", name);
        attribute("showname", title);
        attribute("size", "0");
        attribute("pos", "0");
        newLine();
    }

    private void field(String name, String title, String text, String hex)
            throws XMLStreamException {
        beginField(name, title, text, hex);
        xml.writeEndElement();
        newLine();
    }

    private void beginField(String name, String title, String text, String hex)
            throws XMLStreamException {
        xml.writeStartElement("field");
        attribute("name", name);
        attribute("showname", title);
        attribute("show", text);
        if (!hex.isEmpty()) {
            attribute("value", hex);
        }
    }

    private void attribute(String name, String text) throws XMLStreamException {
        xml.writeAttribute(name, TextListing.printable(text));
    }

    private void newLine() throws XMLStreamException {
        xml.writeCharacters("\n");
    }

    /** Ends the document; the writer stays open. */
    @Override
    public void close() {
        endPacket();
        try {
            xml.writeEndElement();
            newLine();
            xml.writeEndDocument();
            xml.flush();
            out.flush();
        } catch (XMLStreamException e) {
            throw failure(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
