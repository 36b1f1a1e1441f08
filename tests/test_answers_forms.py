"""Labels, objects and lists."""

import pytest

from punctum.answers import parse_labels, parse_list, parse_objects

LABELS = ["TR1", "TR2", "OIO", "OR", "NA"]


@pytest.mark.parametrize(
    ("output", "want"),
    [
        ("[{'1': 'TR1', '2': 'OIO'}]", ("TR1", "OIO")),
        ("[{'1': 'OR', '2': 'TR1'}]", ("OR", "TR1")),
        ("[{‘1’: ‘OR’}]", ("OR",)),
        ("[{'1': 'TR1'}, {'2': 'OR'}]", ("TR1", "OR")),
        ('```json\n[{"1": "TR1"}]\n```', ("TR1",)),
        ("{'1': 'NA'}", ("NA",)),
        ("['or']", ("OR",)),
        ("[TR2, OIO]", ("TR2", "OIO")),
        ("TR1", ("TR1",)),
        ("tr1, tr2", ("TR1", "TR2")),
        ("TR1, OR", ("TR1", "OR")),
        ("TR1, TR2, OR", ("TR1", "TR2", "OR")),
        ("**OIO**", ("OIO",)),
        ("(4) OR", ("OR",)),
        ("1. TR1\n2. OIO\n3. OR", ("TR1", "OIO", "OR")),
        ("The categories are TR1 and OR.", ("TR1", "OR")),
        ("TR1 is present. TR2 is not present.", ("TR1",)),
        ("The image may look like TR1 or TR2. The answer is OIO.", ("OIO",)),
        ("TR1, TR1", ("TR1",)),
        ("NA", ("NA",)),
        ("N/A", ("NA",)),
        ("None", ("NA",)),
        ("None of the categories apply.", ("NA",)),
        ("<think>TR1</think>TR2", ("TR2",)),
        ("{'TR1': 'yes', 'TR2': 'no', 'OIO': 'yes', 'OR': 'no'}", ("TR1", "OIO")),
        ('{"TR1": true, "TR2": false}', ("TR1",)),
        ("TR1: no\nTR2: yes\nOIO: no\nOR: no", ("TR2",)),
        ("The categories are TR1, TR2, OIO, OR. The image is OIO.", ("OIO",)),
        ("TR1, TR2, OIO, OR", ("TR1", "TR2", "OIO", "OR")),
        ("None of TR1, TR2, OIO, OR apply.", ("NA",)),
        ("ASSISTANT: [{'1': 'TR1'}]</s>", ("TR1",)),
        ("TR1: no, TR2: no", None),
        ("TR1 or TR2", None),
        ("TR1 OR TR2", None),
        ("not TR1, TR2", None),
        ("TR3", None),
        ("I can't tell or say", None),
        ("Organic", None),
        ("", None),
        ("<think>TR1", None),
    ],
)
def test_labels(output: str, want: tuple[str, ...] | None) -> None:
    assert parse_labels(output, LABELS).value == want


def test_labels_may_have_further_names() -> None:
    names = {"TR1": ["Texture Replacement 1"], "OIO": ["Object inside object"]}
    assert parse_labels("Texture replacement 1 and object inside object", names).value == ("TR1", "OIO")
    assert parse_labels("None", names).value is None


TEXTURE = "The surface of {p} mimics the texture of {s}, while retaining its original structure."
INSIDE = "{p} is visibly located within {s}, in an unconventional manner."
REPLACED = "<object1> completely replaces <object2> in its usual context, assuming its function or position."


@pytest.mark.parametrize(
    ("template", "output", "want"),
    [
        (TEXTURE, TEXTURE.format(p="<bottle>", s="<lemon>"), ("bottle", "lemon")),
        (TEXTURE, TEXTURE.format(p="the bottle", s="a lemon"), ("the bottle", "a lemon")),
        (TEXTURE, TEXTURE.format(p="**bottle**", s="**lemon**"), ("bottle", "lemon")),
        (TEXTURE, "the surface of car mimics the texture of ice.", ("car", "ice")),
        (TEXTURE, "The surface of $<$car$>$ mimics the texture of $<$ice cream$>$, while", ("car", "ice cream")),
        (TEXTURE, "<object1>: bottle\n<object2>: lemon", ("bottle", "lemon")),
        (TEXTURE, "<object1>: <bottle>\n<object2>: <lemon>", ("bottle", "lemon")),
        (TEXTURE, "**Object 1:** bottle\n**Object 2:** lemon", ("bottle", "lemon")),
        (TEXTURE, "object1: bottle, object2: lemon", ("bottle", "lemon")),
        (TEXTURE, "<object2>: lemon\n<object1>: bottle", ("bottle", "lemon")),
        (TEXTURE, "<bottle>, <lemon>", ("bottle", "lemon")),
        (TEXTURE, "<object1>bottle</object1><object2>lemon</object2>", ("bottle", "lemon")),
        (TEXTURE, TEXTURE.format(p="the <bottle>", s="a <lemon>"), ("bottle", "lemon")),
        (INSIDE, "Sure! A bird is visibly located within a bulb, in an unconventional manner.", ("A bird", "a bulb")),
        (INSIDE, "<bird> is visibly located within <light bulb>", ("bird", "light bulb")),
        (REPLACED, "gun completely replaces pen in its usual context, assuming its function", ("gun", "pen")),
        (TEXTURE, TEXTURE, None),
        (TEXTURE, TEXTURE.format(p="<object1>", s="<object2>"), None),
        (TEXTURE, "<object1>: bottle", None),
        (TEXTURE, "I cannot help with that.", None),
        (TEXTURE, "", None),
        (TEXTURE, "<think><bottle> <lemon>", None),
    ],
)
def test_objects(template: str, output: str, want: tuple[str, str] | None) -> None:
    assert parse_objects(output, template).value == want


def test_objects_come_primary_first() -> None:
    template = "Within {s} there is {p}."
    assert parse_objects("Within a bulb there is a bird.", template).value == ("a bird", "a bulb")


def test_a_template_needs_two_fields() -> None:
    with pytest.raises(ValueError, match="two fields"):
        parse_objects("a bird", "{p} is here")


@pytest.mark.parametrize(
    ("output", "want"),
    [
        ("bottle, lemon, table", ("bottle", "lemon", "table")),
        ("cat; dog; bird", ("cat", "dog", "bird")),
        ("car", ("car",)),
        ("cat\ndog", ("cat", "dog")),
        ("a bottle and a lemon", ("a bottle", "a lemon")),
        ("1. Bottle\n2. Lemon", ("Bottle", "Lemon")),
        ("1) Bottle\n2) Lemon", ("Bottle", "Lemon")),
        ("- bottle\n- lemon", ("bottle", "lemon")),
        ("• bottle\n• lemon", ("bottle", "lemon")),
        ("1. bottle 2. lemon 3. table", ("bottle", "lemon", "table")),
        ('["a", "b"]', ("a", "b")),
        ('```json\n["a dog", "a cat"]\n```', ("a dog", "a cat")),
        ('{"objects": ["a dog, brown", "a cat"]}', ("a dog, brown", "a cat")),
        ("**Objects:** bottle, lemon", ("bottle", "lemon")),
        ("ASSISTANT: bottle, lemon", ("bottle", "lemon")),
        ("I'm sorry, I can't see the image.", None),
        ("Objects: bottle, lemon", ("bottle", "lemon")),
        ("The objects are: a cup, a pen and a key.", ("a cup", "a pen", "a key")),
        ("The image shows a dog, a cat, and a ball.", ("a dog", "a cat", "a ball")),
        ("Sure, here are the objects:\n- bottle\n- Bottle\n- lemon", ("bottle", "lemon")),
        ("1. **Bottle**: a green bottle, on a table\n2. **Lemon** - yellow", ("Bottle", "Lemon")),
        ("a man (with a hat, red), a car", ("a man (with a hat, red)", "a car")),
        ("a, b, c, d, e, f, g", ("a", "b", "c", "d", "e")),
        ("None", None),
        ("N/A", None),
        ("", None),
        ("<think>a, b", None),
    ],
)
def test_list(output: str, want: tuple[str, ...] | None) -> None:
    assert parse_list(output, 5).value == want


def test_list_without_limit() -> None:
    assert parse_list("a, b, c, d, e, f, g").value == tuple("abcdefg")


def test_the_limit_must_be_positive() -> None:
    with pytest.raises(ValueError, match="1 or more, not 0"):
        parse_list("a", 0)
