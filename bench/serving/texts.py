# SPDX-License-Identifier: Apache-2.0
"""What is sent: the English sentences of the project's tests of the model that ships, and files made of them."""
import io
import itertools
import pathlib
import zipfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
NAMES = ("Adam Alice Anna Ben Bob Carl Clara Daniel David Eric Eva Felix Frank George Hanna Helen Ida Jack James Jane "
         "John Julia Karl Kate Laura Leo Linda Lucy Mark Martin Max Nina Nora Oscar Paul Peter Robert Rose Sam Sarah "
         "Simon Sophie Steve Susan Theo Thomas Victor Walter Wendy").split()


def sentences():
    """A few hundred different ones, of five to twenty words mostly, a sentence each."""
    lines = (PROJECT / "tests" / "data" / "en-de" / "expected.tsv").read_text(encoding="utf-8").splitlines()
    sources = [line.split("\t")[0] for line in lines]
    return [source.removeprefix(">>de<< ") for source in sources if source.startswith(">>de<< ")]


def different():
    """Without end, and hardly one twice: first the sentences as they are, then each as something that somebody said,
    so that neither equal sentences nor a memory of them make anybody faster."""
    first = sentences()
    yield from first
    for turn in itertools.count():
        for i, sentence in enumerate(first):
            name, other = NAMES[(turn + i) % len(NAMES)], NAMES[(turn // len(NAMES) + 7 * i) % len(NAMES)]
            yield f"{name} told {other} {'that ' if turn % 2 else ''}\"{sentence}\""


def short():
    """Of a few words, and none that anybody else here has asked for: an answer from a memory would say nothing."""
    return (each for each in itertools.islice(different(), 30_000, None) if len(each) < 45)


def subtitles(lines):
    def clock(ms):
        return f"{ms // 3600000:02}:{ms // 60000 % 60:02}:{ms // 1000 % 60:02},{ms % 1000:03}"
    return "".join(f"{i + 1}\n{clock(i * 2500)} --> {clock(i * 2500 + 2000)}\n{line}\n\n"
                   for i, line in enumerate(lines)).encode()


def word_document(paragraphs):
    """The least that word processors read."""
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    space = "http://schemas.openxmlformats.org"
    text = "".join("<w:p><w:r><w:t>" + each.replace("&", "&amp;").replace("<", "&lt;") + "</w:t></w:r></w:p>"
                   for each in paragraphs)
    files = {
        "[Content_Types].xml": f'<Types xmlns="{space}/package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" '
        f'ContentType="{main}.document.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{space}/package/2006/relationships"><Relationship Id="r1" '
        f'Type="{space}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{space}/wordprocessingml/2006/main"><w:body>{text}</w:body>'
        "</w:document>"}
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8"?>\n' + content)
    return memory.getvalue()
