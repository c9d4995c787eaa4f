"""Countries (ISO 3166) and languages (ISO 639): the two-letter code, those of three letters, names.

Called by known_words.py. Of a country the Olympic code as well, of a language those of terms and of libraries.
"""

COUNTRIES = """
ad|and|andorra; ae|are|united arab emirates|uae|u.a.e.; af|afg|afghanistan; ag|atg|antigua & barbuda; ai|aia|anguilla;
al|alb|albania; am|arm|armenia; ao|ago|angola|ang; aq|ata|antarctica; ar|arg|argentina; as|asm|samoa (american)|samoa;
at|aut|austria|österreich|oesterreich|autriche; au|aus|australia|australien|australie; aw|abw|aruba; ax|ala|åland
islands; az|aze|azerbaijan; ba|bih|bosnia & herzegovina; bb|brb|barbados; bd|bgd|bangladesh|ban;
be|bel|belgium|belgien|belgique|belgië|bélgica|belgio; bf|bfa|burkina faso; bg|bgr|bulgaria|bul|bulgarien|bulgarie;
bh|bhr|bahrain; bi|bdi|burundi; bj|ben|benin; bl|blm|st barthelemy; bm|bmu|bermuda; bn|brn|brunei;
bo|bol|bolivia|bolivia, plurinational state of; bq|bes|caribbean nl; br|bra|brazil|brasil|brasilien|brésil;
bs|bhs|bahamas; bt|btn|bhutan; bv|bvt|bouvet island; bw|bwa|botswana|bot; by|blr|belarus; bz|blz|belize;
ca|can|canada|kanada; cc|cck|cocos (keeling) islands|cocos islands; cd|cod|congo (dem. rep.)|congo; cf|caf|central
african rep.; cg|cog|congo (rep.)|congo|cgo; ch|che|switzerland|schweiz|suisse|svizzera|sui|suiza|suíça|confoederatio
helvetica; ci|civ|côte d'ivoire|ivory coast; ck|cok|cook islands; cl|chl|chile|chi; cm|cmr|cameroon;
cn|chn|china|people's republic of china|prc|p.r. china|pr china|chine; co|col|colombia; cr|cri|costa rica|crc;
cu|cub|cuba; cv|cpv|cape verde; cw|cuw|curaçao; cx|cxr|christmas island; cy|cyp|cyprus; cz|cze|czech
republic|czechia|tschechien|tchéquie|république tchèque|česko;
de|deu|germany|deutschland|allemagne|alemania|ger|germania|alemanha; dj|dji|djibouti;
dk|dnk|denmark|dänemark|danmark|den|danemark|dinamarca|danimarca; dm|dma|dominica; do|dom|dominican republic;
dz|dza|algeria|alg|algerien|algérie; ec|ecu|ecuador; ee|est|estonia|estland|estonie; eg|egy|egypt|ägypten|égypte;
eh|esh|western sahara; er|eri|eritrea; es|esp|spain|spanien|españa|espagne; et|eth|ethiopia;
fi|fin|finland|finnland|suomi|finlande|finlandia; fj|fji|fiji; fk|flk|falkland islands; fm|fsm|micronesia;
fo|fro|faroe islands; fr|fra|france|frankreich|francia|frankrijk; ga|gab|gabon; gb|gbr|britain (uk)|britain|uk|united
kingdom|great britain|england|scotland|wales|northern ireland|irlanda del norte|nordirland|irlande du nord|
vereinigtes königreich|u.k.|royaume-uni|reino unido|regno unito|großbritannien;
gd|grd|grenada; ge|geo|georgia; gf|guf|french guiana; gg|ggy|guernsey; gh|gha|ghana; gi|gib|gibraltar;
gl|grl|greenland; gm|gmb|gambia|gam; gn|gin|guinea|gui; gp|glp|guadeloupe; gq|gnq|equatorial guinea;
gr|grc|greece|griechenland|el|gre|grèce|grecia; gs|sgs|south georgia & the south sandwich islands;
gt|gtm|guatemala|gua; gu|gum|guam; gw|gnb|guinea-bissau; gy|guy|guyana; hk|hkg|hong kong; hm|hmd|heard island &
mcdonald islands; hn|hnd|honduras|hon; hr|hrv|croatia|kroatien|hrvatska|cro|croatie|croacia|croazia; ht|hti|haiti|hai;
hu|hun|hungary|ungarn|magyarország|hongrie|hungría|ungheria; id|idn|indonesia|ina|indonesien;
ie|irl|ireland|irland|éire|republic of ireland|eire|irlande|irlanda; il|isr|israel; im|imn|isle of man;
in|ind|india|indien|bharat|inde; io|iot|british indian ocean territory; iq|irq|iraq; ir|irn|iran|iran, islamic
republic of|iri; is|isl|iceland; it|ita|italy|italien|italia|italië; je|jey|jersey; jm|jam|jamaica; jo|jor|jordan;
jp|jpn|japan|nippon|japon|japón|giappone; ke|ken|kenya; kg|kgz|kyrgyzstan; kh|khm|cambodia; ki|kir|kiribati;
km|com|comoros; kn|kna|st kitts & nevis; kp|prk|korea (north)|north korea; kr|kor|korea (south)|south korea|republic
of korea|korea|südkorea|corée du sud; kw|kwt|kuwait; ky|cym|cayman islands; kz|kaz|kazakhstan; la|lao|laos|lao
people's democratic republic; lb|lbn|lebanon; lc|lca|st lucia; li|lie|liechtenstein; lk|lka|sri lanka|sri;
lr|lbr|liberia; ls|lso|lesotho; lt|ltu|lithuania|litauen|lituanie; lu|lux|luxembourg|luxemburg;
lv|lva|latvia|lat|lettland|lettonie; ly|lby|libya|lba; ma|mar|morocco|marokko|maroc; mc|mco|monaco;
md|mda|moldova|moldova, republic of; me|mne|montenegro; mf|maf|st martin (french)|st martin; mg|mdg|madagascar|mad;
mh|mhl|marshall islands; mk|mkd|north macedonia|macedonia; ml|mli|mali; mm|mmr|myanmar (burma)|myanmar;
mn|mng|mongolia|mgl; mo|mac|macau; mp|mnp|northern mariana islands; mq|mtq|martinique; mr|mrt|mauritania;
ms|msr|montserrat; mt|mlt|malta; mu|mus|mauritius; mv|mdv|maldives; mw|mwi|malawi;
mx|mex|mexico|méxico|mexiko|mexique; my|mys|malaysia|mas; mz|moz|mozambique; na|nam|namibia; nc|ncl|new caledonia;
ne|ner|niger|nig; nf|nfk|norfolk island; ng|nga|nigeria|ngr; ni|nic|nicaragua|nca;
nl|nld|netherlands|niederlande|holland|the netherlands|nederland|ned|pays-bas|países bajos|paesi bassi|nederlanden;
no|nor|norway|norwegen|norge|norvège|noruega|norvegia; np|npl|nepal|nep; nr|nru|nauru; nu|niu|niue; nz|nzl|new
zealand|aotearoa|neuseeland; om|omn|oman; pa|pan|panama; pe|per|peru; pf|pyf|french polynesia; pg|png|papua new
guinea; ph|phl|philippines|phi|philippinen; pk|pak|pakistan; pl|pol|poland|polen|polska|pologne|polonia; pm|spm|st
pierre & miquelon; pn|pcn|pitcairn; pr|pri|puerto rico|pur; ps|pse|palestine; pt|prt|portugal|por|portogallo;
pw|plw|palau; py|pry|paraguay|par; qa|qat|qatar; re|reu|réunion; ro|rou|romania|rumänien|românia|roumanie|rumania;
rs|srb|serbia; ru|rus|russia|russian federation|russland|russie|rusia; rw|rwa|rwanda; sa|sau|saudi
arabia|ksa|saudi-arabien|arabie saoudite; sb|slb|solomon islands; sc|syc|seychelles; sd|sdn|sudan|sud;
se|swe|sweden|schweden|sverige|suède|suecia|svezia; sg|sgp|singapore; sh|shn|st helena;
si|svn|slovenia|slo|slowenien|slovénie|slovenija; sj|sjm|svalbard & jan mayen;
sk|svk|slovakia|slowakei|slovaquie|slovensko; sl|sle|sierra leone; sm|smr|san marino; sn|sen|senegal; so|som|somalia;
sr|sur|suriname; ss|ssd|south sudan; st|stp|sao tome & principe; sv|slv|el salvador|esa; sx|sxm|st maarten (dutch)|st
maarten; sy|syr|syria|syrian arab republic; sz|swz|eswatini (swaziland)|eswatini; tc|tca|turks & caicos is;
td|tcd|chad; tf|atf|french s. terr.; tg|tgo|togo|tog; th|tha|thailand; tj|tjk|tajikistan; tk|tkl|tokelau; tl|tls|east
timor; tm|tkm|turkmenistan; tn|tun|tunisia; to|ton|tonga; tr|tur|turkey|türkei|türkiye|turkiye|turquie|turquía;
tt|tto|trinidad & tobago; tv|tuv|tuvalu; tw|twn|taiwan|chinese taipei|tpe; tz|tza|tanzania|tanzania, united republic
of|tan; ua|ukr|ukraine; ug|uga|uganda; um|umi|us minor outlying islands; us|usa|eua|ee.uu.|united states|u.s.|u.s.a.|
united states of america|america|vereinigte staaten|estados unidos|états-unis|stati uniti; uy|ury|uruguay|uru;
uz|uzb|uzbekistan; va|vat|vatican city|holy see|vatican; vc|vct|st vincent; ve|ven|venezuela|venezuela, bolivarian
republic of; vg|vgb|virgin islands (uk)|virgin islands; vi|vir|virgin islands (us)|virgin islands; vn|vnm|vietnam|viet
nam|vie; vu|vut|vanuatu; wf|wlf|wallis & futuna; ws|wsm|samoa (western)|samoa; ye|yem|yemen; yt|myt|mayotte;
za|zaf|south africa|südafrika|rsa|afrique du sud; zm|zmb|zambia|zam; zw|zwe|zimbabwe|zim"""


LANGUAGES = """
aa|aar|afar; ab|abk|abkhazian; ae|ave|avestan; af|afr|afrikaans; ak|aka|akan; am|amh|amharic; an|arg|aragonese;
ar|ara|arabic|arabisch|arabe|árabe; as|asm|assamese; av|ava|avaric; ay|aym|aymara; az|aze|azerbaijani; ba|bak|bashkir;
be|bel|belarusian|belarussian; bg|bul|bulgarian; bi|bis|bislama; bm|bam|bambara; bn|ben|bengali; bo|bod|tib|tibetan;
br|bre|breton; bs|bos|bosnian; ca|cat|catalan; ce|che|chechen; ch|cha|chamorro; co|cos|corsican; cr|cre|cree;
cs|ces|cze|czech|tschechisch|tschech.|tchèque; cu|chu|church slavic; cv|chv|chuvash; cy|cym|wel|welsh;
da|dan|danish|dänisch|dansk; de|deu|ger|german|deutsch|allemand|alemán; dv|div|divehi|maldivian; dz|dzo|dzongkha;
ee|ewe; el|ell|gre|greek|modern greek|griechisch|grec; en|eng|english|englisch|anglais|inglés; eo|epo|esperanto;
es|spa|spanish|spanisch|español|castilian; et|est|estonian; eu|eus|baq|basque; fa|fas|per|persian|farsi; ff|ful|fulah;
fi|fin|finnish|finnisch|suomi; fj|fij|fijian; fo|fao|faroese; fr|fra|fre|french|französisch|francés; fy|fry|western
frisian|frisian; ga|gle|irish; gd|gla|scottish gaelic|gaelic; gl|glg|galician; gn|grn|guarani; gu|guj|gujarati;
gv|glv|manx; ha|hau|hausa; he|heb|hebrew|hebräisch|hébreu; hi|hin|hindi; ho|hmo|hiri motu; hr|hrv|croatian|kroatisch;
ht|hat|haitian|haitian creole; hu|hun|hungarian|ungarisch|hongrois; hy|hye|arm|armenian; hz|her|herero;
ia|ina|interlingua; id|ind|indonesian; ie|ile|interlingue; ig|ibo|igbo; ii|iii|sichuan yi; ik|ipk|inupiaq; io|ido;
is|isl|ice|icelandic; it|ita|italian|italienisch|italiano|italien; iu|iku|inuktitut;
ja|jpn|japanese|japanisch|japonais; jv|jav|javanese; ka|kat|geo|georgian; kg|kon|kongo; ki|kik|kikuyu;
kj|kua|kuanyama; kk|kaz|kazakh; kl|kal|kalaallisut; km|khm|khmer; kn|kan|kannada; ko|kor|korean|koreanisch;
kr|kau|kanuri; ks|kas|kashmiri; ku|kur|kurdish; kv|kom|komi; kw|cor|cornish; ky|kir|kirghiz|kyrgyz;
la|lat|latin|latein; lb|ltz|luxembourgish|letzeburgesch|luxemburgisch; lg|lug|ganda; li|lim|limburgan; ln|lin|lingala;
lo|lao; lt|lit|lithuanian; lu|lub|luba-katanga; lv|lav|latvian; mg|mlg|malagasy; mh|mah|marshallese; mi|mri|mao|maori;
mk|mkd|mac|macedonian; ml|mal|malayalam; mn|mon|mongolian; mr|mar|marathi; ms|msa|may|malay; mt|mlt|maltese;
my|mya|bur|burmese; na|nau|nauru; nd|nde|north ndebele; ne|nep|nepali; ng|ndo|ndonga;
nl|nld|dut|dutch|niederländisch|nederlands; nn|nno|norwegian nynorsk; no|nor|nb|norwegian|norwegisch|norsk|nob|bokmål;
nr|nbl|south ndebele; nv|nav|navajo; ny|nya|chichewa|nyanja; oc|oci|occitan; oj|oji|ojibwa; om|orm|oromo;
or|ori|oriya; os|oss|ossetian; pa|pan|panjabi|punjabi; pi|pli|pali; pl|pol|polish|polnisch|polski;
ps|pus|pushto|pashto; pt|por|portuguese|português|portugiesisch|portugais|portugués; qu|que|quechua; rm|roh|romansh;
rn|run|rundi; ro|ron|rum|romanian|moldavian|rumänisch|roumain; ru|rus|russian|russisch|russe|ruso; rw|kin|kinyarwanda;
sa|san|sanskrit; sc|srd|sardinian; sd|snd|sindhi; se|sme|northern sami; sg|sag|sango; si|sin|sinhala|singhalese;
sk|slk|slo|slovak; sl|slv|slovenian|slovene; sm|smo|samoan; sn|sna|shona; so|som|somali; sq|sqi|alb|albanian;
sr|srp|serbian; ss|ssw|swati; st|sot|southern sotho; su|sun|sundanese; sv|swe|swedish|schwedisch|svenska;
sw|swa|swahili; ta|tam|tamil; te|tel|telugu; tg|tgk|tajik; th|tha|thai; ti|tir|tigrinya; tk|tuk|turkmen;
tl|tgl|tagalog; tn|tsn|tswana; to|ton|tonga; tr|tur|turkish|türkisch; ts|tso|tsonga; tt|tat|tatar; tw|twi;
ty|tah|tahitian; ug|uig|uighur|uyghur; uk|ukr|ukrainian|ukrainisch; ur|urd|urdu; uz|uzb|uzbek; ve|ven|venda;
vi|vie|vietnamese; vo|vol|volapük; wa|wln|walloon; wo|wol|wolof; xh|xho|xhosa; yi|yid|yiddish; yo|yor|yoruba;
za|zha|zhuang; zh|zho|chi|chinese|chinesisch|mandarin|chinois; zu|zul|zulu"""
