package dev.wishdir.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.Tracer;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import javax.xml.parsers.DocumentBuilderFactory;

/** PDML as a standard parser of XML reads it. */
final class PdmlWriterTest {
    private static DissectedMessage message(
            long frame, String name, Map<String, ?> fields, List<Traced> trace) {
        return new DissectedMessage(
                frame,
                frame / 2.0,
                Direction.C2S,
                42_268,
                "fake",
                DissectedMessage.Layer.MESSAGE,
                name,
                fields,
                Bytes.EMPTY,
                trace);
    }

    private static String written(DissectedMessage... messages) {
        StringWriter text = new StringWriter();
        try (PdmlWriter writer = new PdmlWriter(text, "wishdir/<1>", "a&b.pcap")) {
            List.of(messages).forEach(writer);
        }
        return text.toString();
    }

    private static Element parsed(String text) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        Document document =
                factory.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
        return document.getDocumentElement();
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        NodeList nodes = parent.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            if (nodes.item(i) instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    @Test
    void writesPacketsWithTheirFields() throws Exception {
        Tracer tracer = new Tracer(Bytes.ofHex("2d 0104"));
        int state = tracer.u8("state", 0);
        tracer.bits("physstate", 0, 3, state);
        tracer.u16be("x", 0);
        tracer.annotate("16.25 units");
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("pos", List.of(16.25, 3));
        values.put("inner", Map.of("name", "anna"));

        Element root =
                parsed(
                        written(
                                message(7, "POS", values, tracer.fields()),
                                message(7, "SAY", Map.of(), List.of()),
                                message(8, "SAY", Map.of(), List.of())));

        assertThat(root.getTagName()).isEqualTo("pdml");
        assertThat(root.getAttribute("capture_file")).isEqualTo("a&b.pcap");
        List<Element> packets = children(root, "packet");
        assertThat(packets).hasSize(2);
        List<Element> protos = children(packets.getFirst(), "proto");
        assertThat(protos)
                .extracting(proto -> proto.getAttribute("name"))
                .containsExactly("geninfo", "frame", "fake", "fake");
        assertThat(children(protos.get(1), "field").getFirst().getAttribute("show")).isEqualTo("7");
        assertThat(protos.get(2).getAttribute("size")).isEqualTo("3");
        List<Element> fields = children(protos.get(2), "field");
        Element first = fields.get(1);
        assertThat(first.getAttribute("name")).isEqualTo("fake.POS.state");
        assertThat(first.getAttribute("value")).isEqualTo("2d");
        assertThat(first.getAttribute("pos")).isEqualTo("0");
        assertThat(first.getAttribute("size")).isEqualTo("1");
        Element part = children(first, "field").getFirst();
        assertThat(part.getAttribute("showname")).isEqualTo("physstate: 5");
        Element x = fields.get(2);
        assertThat(x.getAttribute("show")).isEqualTo("16.25 units");
        assertThat(x.getAttribute("pos")).isEqualTo("1");
        assertThat(x.getAttribute("size")).isEqualTo("2");
        Element pos = children(fields.get(3), "field").getFirst();
        assertThat(pos.getAttribute("name")).isEqualTo("fake.POS.pos");
        assertThat(children(pos, "field").get(1).getAttribute("show")).isEqualTo("3");
        Element inner = children(fields.get(3), "field").get(1);
        assertThat(children(inner, "field").getFirst().getAttribute("name"))
                .isEqualTo("fake.POS.inner.name");
    }

    @Test
    void escapesEveryCharacter() throws Exception {
        for (int first = 0; first <= Character.MAX_VALUE; first += 256) {
            StringBuilder text = new StringBuilder("<a b='\">&amp;]]>");
            for (int c = first; c < first + 256; c++) {
                // Each also as a surrogate without its other half.
                text.append((char) c).append('.');
            }
            Traced field = new Traced("f" + text, 0, 8, "00", text.toString(), false);

            Element root =
                    parsed(
                            written(
                                    message(
                                            1,
                                            "M" + text,
                                            Map.of("v" + text, text.toString()),
                                            List.of(field))));

            Element shown =
                    children(children(children(root, "packet").getFirst(), "proto").get(2), "field")
                            .get(1);
            assertThat(shown.getAttribute("show"))
                    .isEqualTo(TextListing.printable(text.toString()));
        }
    }

    @Test
    void completesDocumentWithoutMessages() throws Exception {
        assertThat(children(parsed(written()), "packet")).isEmpty();
    }
}
