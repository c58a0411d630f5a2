"""Names of columns by role, as data: the table that `data.columns.name_ranks` compares with.

The English names are those that other tools write: scikit-learn, yardstick and parsnip, mlr3, Evidently, MLflow,
PyCaret, H2O, KNIME, lm-evaluation-harness, Inspect, Phoenix and others. German, French, Spanish, Portuguese, Italian
and Dutch names stand with their accents; a name without them is found, too. The best name of a role stands first.
"""

from __future__ import annotations

import re


def fold(name: str) -> str:
    """Return a name as it is compared: case-folded, without `_`, `-`, `.` and spaces; ŷ is `yhat`.

    >>> fold("Y_True") == fold("y.true") == "ytrue", fold("ŷ") == fold("y\u0302") == fold("y_hat")
    (True, True)
    """
    plain = re.sub(r"[_\-.\s]+", "", name).casefold()
    return plain if plain.isascii() else plain.replace("y\u0302", "ŷ").replace("ŷ", "yhat")


def _words(text: str) -> list[str]:
    return text.split()


def _word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LABELS = _words("label labels class category tag code codes coded coding")


def _name_labels_of(sources: str) -> list[str]:
    """Return the names of the labels of those who give them: humanlabel, humanclass."""
    return [source + label for source in _words(sources) for label in _LABELS]


def _name_either_way(words: str) -> list[str]:
    """Return the names of labels with a word before or behind them: goldlabel, labelgold, ygold."""
    return [name for word in _words(words) for label in (*_LABELS, "y") for name in (word + label, label + word)]


SURE_TRUTH = _words(
    """
    ytrue ytest truelabel truelabels truth groundtruth groundtruthlabel truthlabel trueclass target targets
    targetlabel gt gtlabel gold goldlabel actual actuals actuallabel actualclass true expected expectedlabel reference
    ref referenceoutput givenlabel obs correctlabel correctclass correctanswer goldanswer goldclass referencelabel
    referenceanswer adjudicated adjudicatedlabel
    wahrheit wahreslabel wahreklasse wahrekategorie tatsächlich tatsaechlich tatsächlicheklasse tatsaechlicheklasse
    tatsächlicheslabel tatsaechlicheslabel tatsächlicherwert tatsaechlicherwert zielvariable zielwert zielklasse
    zielgröße zielgroesse erwartet erwarteteklasse erwarteteslabel referenzlabel goldstandard
    istklasse istkategorie istlabel sollklasse sollkategorie solllabel
    vérité véritéterrain réel réelle classeréelle vraieclasse vrailabel vraieétiquette étiquetteréelle valeurréelle
    labelréel attendu attendue classeattendue
    verdad verdadero verdadera etiquetareal etiquetaverdadera clasereal claseverdadera valorreal categoríareal
    esperado esperada claseesperada
    verdade verdadeiro verdadeira rótuloreal rótuloverdadeiro classereal classeverdadeira categoriareal gabarito
    verità classereale classevera etichettareale etichettavera valorereale atteso attesa
    werkelijk werkelijkheid werkelijkeklasse werkelijkewaarde werkelijklabel verwacht verwachteklasse
    """
) + _name_either_way("true truth groundtruth gt gold actual expected target reference")
"""Names of the truth that hardly any other column has."""
HAND_WORDS = "human manual annotated reviewed verified final expert"
BY_HAND = _words("annotation annotations") + _name_labels_of(HAND_WORDS)
"""Names of a person's labels, which are the truth where no other column has the name of one."""
TRUTH = (
    SURE_TRUTH
    + _words(
        """
    y label labels labelids class category
    klasse kategorie
    étiquette étiquettes classe catégorie
    etiqueta etiquetas clase categoría
    rótulo rótulos categoria
    etichetta etichette
    solution answer answerkey
    """
    )
    + BY_HAND
)
SURE_PREDICTION = (
    _words(
        """
    ypred predictedlabel predictedlabels predictionlabel predlabel predictedclass predclass prediction predictions
    predicted pred preds yhat predict guess guesses guessed guessedlabel modelprediction modelpredictions modellabel
    llmlabel llmprediction inferred classifiedas hyp hyps
    vorhersage vorhersagen vorhergesagt vorhergesagteklasse vorhergesagteslabel vorhergesagtekategorie
    vorhergesagterwert prognose prognosen prognostiziert prognostizierteklasse prognostizierteslabel modellvorhersage
    prédiction prédictions prédit prédite classeprédite étiquetteprédite labelprédit valeurprédite prévision
    prévisions prévu prévue classeprévue
    predicción predicciones predicho predicha clasepredicha etiquetapredicha categoríapredicha valorpredicho
    pronóstico pronosticado pronosticada previsto prevista claseprevista etiquetaprevista
    predição predições previsão previsões predito predita classepredita classeprevista rótulopredito rótuloprevisto
    valorprevisto
    predizione predizioni predetto predetta classepredetta etichettapredetta valorepredetto
    voorspelling voorspellingen voorspeld voorspeldeklasse voorspeldewaarde voorspeldlabel
    """
    )
    + _name_either_way("pred predicted prediction predict guess guessed estimated inferred")
    + _name_labels_of("model llm ai system auto automatic machine bot classifier suggested inferred detected")
)
"""Names of a prediction that hardly any other column has."""
PREDICTION = SURE_PREDICTION + _words(
    """
    forecast forecasts forecasted
    outputlabel estimate picked observed classification classified answer output outputs response textoutput answertext
    label class
    klasse classe clase
    """
)
RAW = _words(
    """
    rawoutput rawanswer rawresponse rawprediction raw completion completions modeloutput modelresponse modelanswer
    llmoutput llmresponse llmanswer llm generation generatedtext generated output outputs response responses resps
    textoutput answertext answer
    """
)
SCORE = _words(
    """
    yscore yprob yproba score scores prob proba probability predictionproba predictionprobas predictionscore
    predictionprob predictedprobability predictedproba predictedprob predictedscore predproba predprob predscore pprob
    wahrscheinlichkeit wahrscheinlichkeiten vorhersagewahrscheinlichkeit klassenwahrscheinlichkeit wahrsch konfidenz
    konfidenzwert punktzahl
    probabilité probabilités probabilitéprédite confiance
    probabilità punteggio confidenza waarschijnlijkheid kans
    probabilidad probabilidades probabilidadpredicha puntuación puntaje confianza
    probabilidade probabilidades probabilidadeprevista pontuação escore confiança
    p logit logits margin decisionfunction rawscore confidence conf certainty
    """
)
CONFIDENCE = _word_set(
    """
    confidence conf certainty confidencescore predictionconfidence predictedconfidence predconfidence modelconfidence
    llmconfidence maxprob maxproba maxprobability maxscore topprob topscore topprobability top1prob top1score
    konfidenz konfidenzwert confiance confianza confiança
    """
)
"""Names of the score of whichever label was predicted: no class, and no class's score where another column has it."""
OUTPUT_WORDS = _word_set("output outputs out activation softmax sigmoid")
"""A name with such a word in it and a label is rather that of a model's output than of a feature."""
COUNT = _word_set(
    """
    count counts cnt rows npredictions nrows numrows #rows rowcount rowscount numberofrows numberofrecords numrecords
    recordcount idcount countstar
    anzahl zeilen zeilenzahl anzahlzeilen nombrelignes conteo recuento filas aantal contagem linhas conteggio righe
    """
)
COUNT_OF_CELLS = _word_set(
    """
    n freq frequency occurrences haufigkeit haeufigkeit frequence frecuencia frequencia frequenza effectif effectifs
    """
)
"""Names of counts only where the lines are the cells of a matrix, each with a whole number."""
COUNT_OF_MANY_CELLS = _word_set("0 f0 size total records cases items number num nombre cantidad quantidade")
"""Names of counts only beside truth and prediction alone, and where the cells are more than the classes."""
COUNT_PHRASE = re.compile(
    r"(?:count|anzahl|nombre|recuento|cuenta|contagem|conteggio)(?:of|von|der|de|di).+"
    r"|(?:count|countstar|countbig|size|n|nrow)\(.*\)",
    re.DOTALL,
)
"""A folded name that a pivot table or a query gives to counts: `Count of id`, `count(*)`, `Anzahl von id`."""
SUM_OF = re.compile(r"(?:sum(?:of)?|summevon|sommede|sumade|somade|sommadi)\(?(?P<name>.+?)\)?", re.DOTALL)
"""A folded name of the sum of another column: `Sum of count`, `sum(n)`."""
ID = _words(
    """
    id ids idx index row rowid rowids rowindex docid sampleid exampleid recordid itemid questionid inst# uuid guid
    rownumber rowno recordnumber recordno casenumber caseno casenr caseid samplenumber sampleno itemnumber itemno
    serialnumber serialno runningnumber runningno identifier
    lfdnr lfdnummer lfnr laufendenummer laufendenr fallnr fallnummer fallid vorgangsid vorgangsnr vorgangsnummer
    aktenzeichen belegnr belegnummer datensatznr datensatznummer zeilennr zeilennummer probennr probennummer ticketnr
    ticketnummer kennnummer
    numérodedossier numérodeligne identifiant
    númerodecaso númerodefila identificador
    númerodocaso númerodalinha
    key file filename path name unnamed:0 case nr nummer vorgang kennung numéro dossier número expediente
    """
)
NUMBER_SIGNS = frozenset(["no.", "n°", "nº", "n.º", "№", "#"])
"""Names of ids that are such only as they are written: `no` without its dot is a label."""
WEIGHTS = _word_set(
    """
    weight weights wt wts wgt wgts sampleweight sampleweights caseweight caseweights exampleweight exampleweights
    instanceweight instanceweights rowweight rowweights observationweight observationweights obsweight obsweights
    surveyweight surveyweights designweight designweights samplingweight samplingweights importanceweight
    importanceweights frequencyweight frequencyweights freqweight freqweights probabilityweight pweight pweights
    fweight fweights iweight iweights classweight classweights samplewt casewt w ipw iptw fnlwgt finalweight
    expansionfactor inverseprobabilityweight inverseprobabilityweights propensityweight propensityweights
    gewicht gewichte gewichtung stichprobengewicht fallgewicht poids pondération peso pesos ponderación ponderação
    """
)
"""Names of columns of weights of rows; no other role is found by such a name."""

WEAK_TRUTH = _words(
    """
    outcome outcomes tags ergebnis ziel real cible résultat objetivo resultado alvo
    ist istwert soll sollwert golden oracle vero vera reale réalité
    referenz référence referencia referência riferimento
    """
)
"""Names that a feature has as often as a truth: the truth only if its values fit what is predicted."""
WEAK_RAW = _word_set("answertext textoutput")
"""Names that a question's text has as often as an answer: raw answers only if most of them name a label."""

TRUTH_WORDS = _word_set(
    """
    true truth gold gt groundtruth actual expected target reference
    wahrheit wahre wahrer wahres tatsächliche tatsächlicher tatsächliches tatsaechliche tatsaechlicher tatsaechliches
    vérité vraie réelle
    verdad verdadera verdadero
    verdade verdadeira verdadeiro
    """
)
"""A longer name with such a word in it may be the truth's."""
PREDICTION_WORDS = _word_set(
    """
    pred predicted prediction preds predict guess
    vorhersage vorhergesagte vorhergesagter vorhergesagtes prognose prognostizierte
    prédiction prédite prédit
    predicción predicha predicho
    predição predita predito
    """
)
MODEL_WORDS = _word_set(
    "model llm ai system auto automatic automated machine bot classifier algorithm suggested inferred detected "
    "guessed assigned top top1"
)
"""Words that make the name of the truth that of its prediction: top_intent beside intent."""
EXPECTED_WORDS = _word_set(
    """
    expected want wanted erwartet erwartete erwartetes soll sollwert sollklasse sollkategorie solllabel
    attendu attendue esperado esperada atteso attesa
    """
)
ACTUAL_WORDS = _word_set(
    """
    actual actuals got obtained erhalten obtenu obtenue obtenido obtenida ottenuto tatsächlich tatsächliche
    ist istwert istklasse istkategorie istlabel réel réelle real
    """
)
"""Beside what is expected, the actual output is predicted; by itself, the actual label is the true one."""
OLD_WORDS = _word_set("old older previous prev prior former earlier initial baseline legacy outdated last")
"""A name with such a word in it is of a column that another one took the place of."""
SECOND_WORDS = _word_set("second other another 2 b two")
"""A person's name with such a word in it is not of the first of several."""
CONSENSUS_WORDS = _word_set("consensus majority adjudicated agreed")
"""A name with such a word in it is of what several people's labels were made into."""
NO_LABEL_WORDS = _word_set(
    """
    score scores prob probs proba probability logit logits confidence id text p
    wahrscheinlichkeit konfidenz
    probabilité confiance
    probabilidad confianza puntuación
    probabilidade confiança pontuação texte texto
    """
)
"""A longer name with such a word in it is no label's."""

TRUTH_AFFIXES = _words(
    """
    wahr wahre wahres
    wahrheit tatsächlich tatsaechlich
    vérité réel réelle
    verdad verdadero
    verdade
    """
)
PREDICTION_AFFIXES = _words(
    """
    vorhersage vorhergesagt prognose
    prédiction prédit prévision
    predicción predicho pronóstico
    predição previsão predito previsto
    """
)
SCORE_AFFIXES = _words(
    """
    wahrscheinlichkeit konfidenz
    probabilité confiance
    probabilidad puntuación confianza
    probabilidade pontuação confiança
    """
)
"""Words that stand before or behind a label in the name of a column, with a separator: `spam_vorhersage`."""

POSITIVE_CLASS = frozenset(_words("positiveclass positivelabel poslabel"))
"""Names of a column that holds the positive class in every row."""

QUESTIONS = _words("is has was ist hat est es eh tem tiene")
"""First words of a 0/1 column that asks a question: is_fraud, has_cancer."""
VERDICTS = _word_set(
    """
    correct right wrong error errors match matched valid invalid train training test holdout missing null nan empty
    parsed issue labelissue outlier duplicate duplicated labeled labelled predicted scored korrekt richtig falsch
    correcto correcta correto correta juste faux
    """
)
"""Words of such questions that are about a row, a split or an answer: these ask for no label."""


BESIDE_IDS = _word_set(
    "epoch epochs repetition repetitions repeat filter fold seed run trial split model prompt turn part chunk "
    "frame segment visit session subject patient document page line position offset annotator rater dataset task"
)
"""Names of columns that tell rows of one id apart."""

REPEAT_COLUMNS = (
    "filter", "epoch", "repetition", "repetition_number", "prompt", "scorer", "Resample", "resample_id", "iteration",
    ".config", "model", "run", "trial", "attempt", "repeat",
)  # fmt: skip
"""Columns that tell repeated rows apart, in the order in which they are asked about."""

VARIANTS = frozenset(fold(name) for name in ("filter", "prompt", "scorer", ".config", "model"))
"""Those of them in which a row is no repetition of another: it was asked or judged in another way."""

CLUSTERS = tuple(
    _words(
        "cluster clusterid template templateid tmpl tmplid tpl tplid passage passageid paragraphid patient patientid "
        "patientno pat patid mrn participant participantid subjectid subj subjid household householdid conversation "
        "conversationid conv convid dialog dialogid dialogue dialogueid thread threadid session sessionid sess sessid "
        "document documentid doc docid docno article articleid story storyid user userid customer customerid author "
        "authorid speaker speakerid"
    )
)
"""Names of columns whose rows of one value are alike, the most telling first."""

RUN_PARTS = {
    **dict.fromkeys(
        ("epoch", "epochs", "repetition", "repetitionnumber", "repeat", "trial", "attempt", "run", "iteration"), "epoch"
    ),
    **dict.fromkeys(("seed", "randomseed"), "seed"),
    **dict.fromkeys(("fold", "cvfold", "kfold"), "fold"),
}
"""Names of columns that say in which repetition of a run a row stands."""

PART_ROLES = {
    "epoch": "epochs of a training, or of the repetitions of each question",
    "seed": "seeds under which each question was asked",
    "fold": "folds of a cross-validation",
}
"""Roles of columns whose values may each hold the same questions, and what the values are."""
COUNTED_PARTS = ("seed", "fold")
"""Those whose rows all count; of epochs, one is chosen."""

STEPS = _word_set("step steps globalstep trainingstep")
"""Names of the column that counts the steps of a training."""

THRESHOLDS = _word_set("threshold decisionthreshold thresh thr cutoff cutpoint schwelle schwellenwert seuil umbral")
"""Names of columns that say where a score is cut."""
