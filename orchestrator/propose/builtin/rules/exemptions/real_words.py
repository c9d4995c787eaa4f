"""Words that are one slip of the keyboard away from another word: shipping and shopping, nitrite and nitrate, Ireland
and Iceland. A rare text with such a word may be right. Reference data of `spelling_exceptions`; no such list is
complete.
"""

_EVERYDAY = """
absorption accept access actuary adoption adsorption adaption advice advise affect angel angle annual apartment
appraisal approval assess auction average averse adverse banking baking billing boiling border breath building career
carrier casual causal censor chance change charge chili coaching coating collage college combat compliment complement
compact compost conduct confident consent contact content context contest contract contrast cooking cooling costume
council counsel country county custom dairy daily decent delivery denial dental descent desert dessert detention
retention device devise diary dinner diner direct discharge disease decease diver diverse divorce divers driver drover
effect effort elicit ethane ethene except excess expand expend expect expert export extend farmer fiancee filing
filling finishing fishing formal former foster gender general genital granada gravel healing hearing heating herbal
hosting housing human humane inland island impact import incident accident inject injury insert inspect intent invent
invert invest issue jury lather leader lease least leather lender lighting lightning listen loader location locating
loyalty royalty manual marina marine marital marking martial massage master matter medal medial medical mental message
metal minor modern monthly moral morale mortal motion mourning morning mutual nation native natural neural neutral
notice notion novice option ordinal oriental orienting packing painting parental parent parking partial partner pastry
patent patient pension perfect personal personnel physical planning planting planing plaster planter plate platter
pleasant peasant pointing poster potter powder prefect present prevent principal principle printing prison person
private pirate product produce profile profit project protect proper property prosperity protection projection provide
province quality quantity quarter quiet quite racing radical rating ration reason recent record recede reduce region
religion remove removal renewal rental repair report resort reserve reverse revision division roasting posting sailing
sample school season section sector secular security select senior sensor serious series server severe session setting
sewing shipper shipping shopper shopping signal silver simple single sitting sliver smoking snowing solder soldier
sorting sporting source spatial special spring stable staple starting stating stationary stationery statue status
statute steal steel storage stocking storing story string strong student summary summer survey survive sweat sweet
table tablet taster tender tension texture theater timber toner tower towel tracking trading training trail trial
treat threat trucking truck track tuner turner union onion upgrade unskilled vacation variable verbal vendor version
vision vocation volley valley voucher waiter walker warming warning washing watching waste weather welding wedding
wheel while widow window winner winter worker writer written thursday tuesday tourism
"""
_SCIENCE = """
alkane alkene alkyne amoxicillin ampicillin arteritis arthritis brachial branchial bromide bromine carpal tarsal
chlorate chloride chlorine chlorite colitis dysphagia dysphasia femoral ferric ferrous fluoride fluorine hematoma
humeral ileum ilium infarction infection inflation injection iodide iodine ligament ligature malleolus malleus methane
methanol mucous mucus nephritis neuritis nephrology neurology urology nitrate nitride nitrite penicillamine penicillin
perineal peritoneal peroneal phosphate phosphide phosphite prednisolone prednisone propane propene prostate prostrate
quinidine quinine radial sulfate sulfide sulfite sulphate sulphide sulphite tibial ureteral urethral venous venus
vesical vesicle
"""
_PLACES = """
arlington darlington australia austria benton burton boston barton bloomfield broomfield carlton charlton clayton
clifton clinton colombia columbia dalton dayton denton dominica dominican fribourg freiburg gambia zambia grenada
greenfield greenville grenville guinea guyana hamburg homburg hamilton hampton harrington hartford hereford hertford
hilton milton iceland ireland indiana jackson johnson kingston kingstown landau lindau lancaster leicester liberia
libya marion martin marlin mauritania mauritius melton monaco newport newton norton newtown niger nigeria norfolk
oakland auckland oxford orford passau nassau plymouth portland rockland richland rutherford scotland shetland siegen
singen slovakia slovenia springfield springville stafford stratford stanford stamford toulon toulouse valence valencia
warrington weimar wismar westport winston wilton worthington workington
"""

REAL_WORDS = frozenset(f"{_EVERYDAY}{_SCIENCE}{_PLACES}".split())
