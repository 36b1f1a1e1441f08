"""PittAds' persuasive atypical ads as a Hugging Face dataset: five tasks on what is atypical and what it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import datasets

from punctum.datasets_scripts.building import FolderBuilder, Row, choice_features, row_features, texts
from punctum.datasets_scripts.mcq import shuffle_row
from punctum.datasets_scripts.pictures import picture_fault
from punctum.datasets_scripts.pitt_ads.action_reasons import SPLITS
from punctum.datasets_scripts.pitt_ads.annotations import ANNOTATIONS, Ad, Annotation, read_annotations
from punctum.datasets_scripts.pitt_ads.config import CHOICES, PittAdsConfig, places
from punctum.datasets_scripts.pitt_ads.draws import Pool
from punctum.datasets_scripts.pitt_ads.official import FILES as OFFICIAL
from punctum.datasets_scripts.pitt_ads.official import read_official
from punctum.datasets_scripts.pitt_ads.options import RANDOM_IMAGES, Choice, arr_choice, asr_choice
from punctum.datasets_scripts.pitt_ads.small_set import read_small
from punctum.datasets_scripts.pitt_ads.statement_table import StatementTable, check_apart
from punctum.datasets_scripts.reading import DataError, NotAtHand, PictureFolder, Report

_QUESTIONS = {
    "asr": "Which statement describes the atypical relation between the objects in this ad?",
    "arr": "Which statements say what this ad wants people to do, and why?",
    "arr_single": "Which statement says what this ad wants people to do, and why?",
}
_SHARDS = 16
Item = tuple[str, str, int]  # image, split, number of the annotation (0: the first usable one)


class PittAds(FolderBuilder):
    """Configs `mac`, `asr`, `aor`, `arr`, `arr_single`, each with the splits `train` and `test`."""

    BUILDER_CONFIG_CLASS = PittAdsConfig
    BUILDER_CONFIGS: ClassVar[list[Any]] = [
        PittAdsConfig(name="mac", description="Which kinds of atypicality does the ad have?"),
        PittAdsConfig(name="asr", description="Which statement says how two objects are related?"),
        PittAdsConfig(name="aor", description="Which two objects stand in the given relation?"),
        PittAdsConfig(name="arr", description="Which statements say what the ad wants, and why?"),
        PittAdsConfig(name="arr_single", description="Which statement says what the ad wants, and why?"),
    ]
    VARIANTS = (
        ("easy", ("arr", "arr_single"), {"negatives": "easy"}),
        ("typical", ("mac", "arr", "arr_single"), {"images": "typical"}),
    )
    IMAGES = CHOICES["images"]
    WHERE = (
        f"The atypicality annotations ({ANNOTATIONS}) and hard negatives come from the authors of the paper (see "
        "github.com/sinamalakouti/PersuasiveAdVLMBenchmark), pictures and action-reason statements "
        "(QA_Combined_Action_Reason_train.json, …_test.json) from the PittAds site, people.cs.pitt.edu/~kovashka/ads. "
        "Pictures go into train_images/ and test_images/ beside the files, as subfolder/name."
    )

    def _info(self) -> Any:
        self.check_config()
        text, name = datasets.Value("string"), self.config.name
        columns: Row = {"image_url": text, "labels": texts()}
        if name == "mac":
            columns |= {"majority": text, "annotations": texts()}
        else:
            columns |= dict.fromkeys(("relation", "statement", "primary", "secondary"), text)
        if name in _QUESTIONS:
            columns |= choice_features()
        if name == "aor":
            columns["references"] = texts()
        features = row_features(**columns, **{column: texts() for column in OFFICIAL})
        return datasets.DatasetInfo(
            description=self.config.description,
            features=datasets.Features(features),
            homepage="https://github.com/sinamalakouti/PersuasiveAdVLMBenchmark",
        )

    def check_config(self) -> None:
        """Refuse values that are not known, and those that the config's task has no use for."""
        super().check_config()
        config = self.config
        for field, known in CHOICES.items():
            if getattr(config, field) not in known:
                raise ValueError(f"{field}={getattr(config, field)!r}: one of {', '.join(known)}")
        if isinstance(config.seed, bool) or not isinstance(config.seed, int):
            raise ValueError(f"seed={config.seed!r}: a whole number")
        if config.name in ("asr", "aor"):
            if self.asks_typical:
                raise ValueError(f"{config.name} is about atypical images only: typical ones have no two objects")
        elif config.annotations != "first":
            raise ValueError(f'annotations="all" is for asr and aor; {config.name} takes all annotators together')

    @property
    def asks_typical(self) -> bool:
        """Whether typical images are asked about."""
        return bool(self.config.images == "typical" or self.config.subset == "typical")

    def _checked_generators(self, dl_manager: Any) -> list[Any]:
        report = Report(f"{self.config.benchmark}/{self.config.name}")
        self._read(report)
        asked: dict[str, list[Item]] = {split: [] for split in SPLITS}
        for item in self._items(report):
            if self._row(item, report) is not None:
                asked[item[1]].append(item)
                report.rows += 1
        if not report.rows:
            reasons = "; ".join(f"{kind}: {len(places)}" for kind, places in report.skipped.items())
            raise NotAtHand(
                f"{self.data_folder()} has no rows for {report.name}"
                + (f" ({reasons})" if reasons else "")
                + self._hint()
            )
        report.close(self.config.strict)
        self.report = report
        return [
            datasets.SplitGenerator(name=split, gen_kwargs={"blocks": list(_blocks(items))})
            for split, items in asked.items()
            if items
        ]

    def _hint(self) -> str:
        if self.config.name not in ("arr", "arr_single") or self.config.negatives == "easy":
            return ""
        return (
            "; hard negatives come as options in QA_Combined_Action_Reason_{split}.json or in files such as "
            'action_hard_QA_Combined_Action_Reason_{split}.json; negatives="easy" draws other images\' statements'
        )

    def _generate_examples(  # type: ignore[override]  # rows come of images here, not of lines
        self, blocks: list[list[Item]]
    ) -> Iterator[tuple[str, Row]]:
        for block in blocks:
            for item in block:
                row = self._row(item, None)
                if row is not None:
                    yield row["id"], row

    def _read(self, report: Report) -> None:
        """Read all files."""
        folder = self.data_folder()
        self._ads = read_annotations(folder / ANNOTATIONS, report)
        self._tables = {split: StatementTable(folder, split, self._ads, self.config.lists, report) for split in SPLITS}
        check_apart(*self._tables.values())
        self._official = read_official(folder, self._ads, report)
        self._small = None
        if self.config.subset == "small":
            self._small = read_small(self.config.small_file(folder), self._ads, report)
        self._pool = Pool(image for image, ad in self._ads.items() if ad.usable)
        self._pictures = PictureFolder(folder)
        self._found: dict[str, str | None] = {}

    def _items(self, report: Report) -> Iterator[Item]:
        """What rows are made of, in the order of the annotations."""
        untold = 0
        for image, ad in self._ads.items():
            split = self._split(ad)
            untold += split is None
            if not (ad.typical if self.asks_typical else ad.atypical):
                report.skip("images that are not " + ("typical" if self.asks_typical else "atypical"), image)
            elif self._small is not None and image not in self._small:
                report.skip("images outside the small subset", image)
            elif split is None:
                report.skip("images of neither split", image)
            elif self.config.annotations == "all":
                yield from ((image, split, annotation.number) for annotation in ad.usable)
            else:
                yield image, split, 0
            if ad.atypical and not ad.usable and self.config.name in ("asr", "aor"):
                report.skip("images without usable objects", image)
        if untold == len(self._ads):
            raise DataError(
                f"{self.data_folder()}: nothing says which images are of which split: put QA_Combined_Action_Reason_"
                f"train.json and …_test.json beside {ANNOTATIONS}, or the pictures into train_images and test_images"
            )

    def _split(self, ad: Ad) -> str | None:
        """The split whose statements an image is among; otherwise, in whose folder its picture lies."""
        for split in SPLITS:
            if ad.image in self._tables[split].entries:
                return split
        for split in SPLITS:
            if self._pictures.find(f"{split}_images/{ad.image}", ad.line) is not None:
                return split
        return None

    def _row(self, item: Item, report: Report | None) -> Row | None:
        """One row, or None if the image has not what the task needs."""
        image, split, number = item
        ad, name = self._ads[image], self.config.name
        row_id = f"{image}#{name}" + (f"-{number}" if number else "")
        chosen = next((a for a in ad.usable if number in (0, a.number)), None)
        row: Row = {"id": row_id, "image_url": image, "source": ANNOTATIONS, "labels": ad.labels}
        row["category"] = ad.majority
        row |= {column: values.get(image) for column, values in self._official.items()}
        if name == "mac":
            row |= {"majority": ad.majority, "annotations": ad.given}
        else:
            row |= _statement(chosen)
        if name in ("asr", "aor"):
            if chosen is None:
                return None
            row["category"] = chosen.relation
        if name == "aor":
            row["references"] = list(dict.fromkeys(a.statement() for a in ad.usable))
        if name in _QUESTIONS:
            choice = self._choice(ad, chosen, split, row_id, report)
            if choice is None:
                return None
            if name != "asr":
                row["source"] = self._tables[split].entries[image].line.file.name
            row |= self._shown(choice, row_id)
        row["image"] = self._picture(ad, split, report)
        return {column: row.get(column) for column in self.info.features}

    def _choice(
        self, ad: Ad, chosen: Annotation | None, split: str, row_id: str, report: Report | None
    ) -> Choice | None:
        if self.config.name == "asr":
            if chosen is None:
                return None
            choice = asr_choice(ad, chosen, self._ads, self._pool, self.config.seed, row_id)
            if report is not None and choice.kinds.count("wrong_object") < 2 * RANDOM_IMAGES:
                report.add("fewer wrong objects than four, for want of other images", row_id)
            return choice
        table, config = self._tables[split], self.config
        if ad.image not in table.entries:
            if report is not None:
                report.skip("images without action-reason statements", ad.image)
            return None
        made = arr_choice(ad.image, table, config.negatives, config.name == "arr_single", config.seed, row_id, report)
        if report is not None and made is None:
            report.skip(f"images without {config.negatives} negatives", ad.image)
        return made

    def _shown(self, choice: Choice, row_id: str) -> Row:
        """The columns of a choice row; in published order where there is one, otherwise shuffled."""
        row: Row = {
            "id": row_id,
            "question": _QUESTIONS[self.config.name],
            "options": choice.texts,
            "option_kinds": choice.kinds,
            "answers": choice.answers,
            "permutation": list(range(len(choice.texts))),
            "group": row_id,
            "rotation": None,
        }
        return row if choice.published else row | shuffle_row(row, self.config.seed)

    def _picture(self, ad: Ad, split: str, report: Report | None) -> str | None:
        if not self.config.with_pictures:
            return None
        if ad.image not in self._found:
            found = (self._pictures.find(place, ad.line) for place in places(ad.image, split))
            path = next((place for place in found if place is not None), None)
            fault = picture_fault(path) if path else None
            if report is not None and path is None:
                report.add("missing pictures", ad.image)
            if report is not None and fault:
                report.add("unreadable pictures", f"{ad.image} ({fault})")
            self._found[ad.image] = None if fault else path
        return self._found[ad.image]


def _statement(annotation: Annotation | None) -> Row:
    if annotation is None:
        return {}
    return {
        "relation": annotation.relation,
        "statement": annotation.statement(),
        "primary": annotation.primary,
        "secondary": annotation.secondary,
    }


def _blocks(items: list[Item]) -> Iterator[list[Item]]:
    """Cut the rows into runs for several processes."""
    size = -(-len(items) // _SHARDS)
    for start in range(0, len(items), size):
        yield items[start : start + size]
