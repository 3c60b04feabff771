# SPDX-License-Identifier: Apache-2.0
"""Who asks /translate besides LibreTranslate's clients: told apart by fields."""
import azure
import mtranserver
from schema import any_of, answer, array, choice, content, integer, number, record, string, texts

PAIR = {"src_lang": string(), "tgt_lang": string()}
ID = any_of(string(), integer(), {"type": "null"})

# What each asks, and what it gets.
SHAPES = {
    "NeMoCurator": (record({"texts": texts(""), **PAIR}, "texts"),
                    record({"translations": array(string())}, "translations")),
    "ImmersiveTranslate": (record({"text_list": texts(""), "source_lang": string(), "target_lang": string()},
                                  "text_list target_lang"),
                           record({"translations": array(record({"detected_source_lang": string(), "text": string()},
                                                                "detected_source_lang text"))}, "translations")),
    "DeepLX": (record({"text": string(), "source_lang": string(), "target_lang": string(),
                       "tag_handling": choice("html", "xml")}, "text target_lang"),
               record({"code": integer(), "data": string(), "alternatives": array(string()), "source_lang": string(),
                       "target_lang": string()}, "code data alternatives source_lang target_lang")),
    "NllbServe": ({**record({"source": texts(""), **PAIR}, "source"),
                   "anyOf": [{"required": ["src_lang"]}, {"required": ["tgt_lang"]}]},
                  record({"source": array(string()), "translation": array(string()), **PAIR, "time_taken": number(),
                          "time_units": string()}, "source translation src_lang tgt_lang time_taken time_units")),
    "HuggingFace": (record({"inputs": texts(""), "parameters": record(PAIR)}, "inputs"),
                    array(record({"translation_text": string()}, "translation_text"))),
    "NMTWizard": (record({"src": array(record({"text": string()}, "text")),
                          "options": record({"source": string(), "target": string(), **PAIR})}, "src"),
                  record({"tgt": array(array(record({"text": string(), "score": number()}, "text score")))}, "tgt")),
    "MTUOC": (record({"id": ID, "src": string(), **PAIR, "source_lang": string(), "target_lang": string()}, "src"),
              record({"id": ID, "src": string(), "tgt": string(), "system_name": string("The model's"),
                      "src_tokens": string("Words, with blanks between them"), "tgt_tokens": string(),
                      "src_subwords": string(), "tgt_subwords": string(), "alignment": string("In Pharaoh's format"),
                      "alternate_translations": array(record({"tgt": string()}, "tgt"))}, "id src tgt system_name")),
    "OpenNMT": (array(record({"src": string(), "id": any_of(string("A model's name"), integer()), **PAIR}, "src"),
                      minItems=1),
                array(array(record({"src": string(), "tgt": string(), "n_best": integer(), "pred_score": number()},
                                   "src tgt n_best pred_score")))),
}
SHAPES.update(mtranserver.SHAPES, **azure.SHAPES)
# Who asks GET /translate.
MODERN_MT = record({"translation": string(), "detectedLanguage": string()}, "translation")
ASKED = {"ModernMT": record({"status": integer(), "data": any_of(MODERN_MT, array(MODERN_MT))}, "status data")}
FAULTS = [record({"error": string(), "status": choice("error")}, "error"),
          record({"message": string(), "code": integer()}, "message"),
          record({"status": integer(), "error": record({"type": string(), "message": string()}, "type message")},
                 "status error"), azure.FAULT]


def schemas():
    made = {}
    for name, (asked, given) in SHAPES.items():
        made[name + "Ask"], made[name + "Answer"] = asked, given
    for name, given in ASKED.items():
        made[name + "Answer"] = given
    return made


def error(description):
    return answer(description) | {"content": {**content(any_of(*FAULTS)), **content(string(), "text/plain")}}
