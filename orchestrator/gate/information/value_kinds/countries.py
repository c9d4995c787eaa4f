"""The countries of ISO 3166: two-letter code, three-letter code, names. Called by known_words.py."""

COUNTRIES = """
ad|and|andorra; ae|are|united arab emirates|uae|u.a.e.; af|afg|afghanistan; ag|atg|antigua & barbuda;
ai|aia|anguilla; al|alb|albania; am|arm|armenia; ao|ago|angola; aq|ata|antarctica; ar|arg|argentina; as|asm|samoa
(american)|samoa; at|aut|austria|österreich|oesterreich; au|aus|australia; aw|abw|aruba; ax|ala|åland islands;
az|aze|azerbaijan; ba|bih|bosnia & herzegovina; bb|brb|barbados; bd|bgd|bangladesh;
be|bel|belgium|belgien|belgique|belgië; bf|bfa|burkina faso; bg|bgr|bulgaria; bh|bhr|bahrain; bi|bdi|burundi;
bj|ben|benin; bl|blm|st barthelemy; bm|bmu|bermuda; bn|brn|brunei; bo|bol|bolivia|bolivia, plurinational state of;
bq|bes|caribbean nl; br|bra|brazil|brasil|brasilien; bs|bhs|bahamas; bt|btn|bhutan; bv|bvt|bouvet island;
bw|bwa|botswana; by|blr|belarus; bz|blz|belize; ca|can|canada; cc|cck|cocos (keeling) islands|cocos islands;
cd|cod|congo (dem. rep.)|congo; cf|caf|central african rep.; cg|cog|congo (rep.)|congo;
ch|che|switzerland|schweiz|suisse|svizzera; ci|civ|côte d'ivoire|ivory coast; ck|cok|cook islands; cl|chl|chile;
cm|cmr|cameroon; cn|chn|china|people's republic of china|prc|p.r. china|pr china; co|col|colombia;
cr|cri|costa rica; cu|cub|cuba;
cv|cpv|cape verde; cw|cuw|curaçao; cx|cxr|christmas island; cy|cyp|cyprus; cz|cze|czech republic|czechia|tschechien;
de|deu|germany|deutschland|allemagne|alemania; dj|dji|djibouti; dk|dnk|denmark|dänemark|danmark; dm|dma|dominica;
do|dom|dominican republic; dz|dza|algeria; ec|ecu|ecuador; ee|est|estonia; eg|egy|egypt; eh|esh|western sahara;
er|eri|eritrea; es|esp|spain|spanien|españa|espagne; et|eth|ethiopia; fi|fin|finland|finnland|suomi; fj|fji|fiji;
fk|flk|falkland islands; fm|fsm|micronesia; fo|fro|faroe islands; fr|fra|france|frankreich|francia; ga|gab|gabon;
gb|gbr|britain (uk)|britain|uk|united kingdom|great britain|england|vereinigtes königreich|u.k.; gd|grd|grenada;
ge|geo|georgia; gf|guf|french guiana; gg|ggy|guernsey; gh|gha|ghana; gi|gib|gibraltar; gl|grl|greenland;
gm|gmb|gambia; gn|gin|guinea; gp|glp|guadeloupe; gq|gnq|equatorial guinea; gr|grc|greece|griechenland|el;
gs|sgs|south georgia & the south sandwich islands; gt|gtm|guatemala; gu|gum|guam; gw|gnb|guinea-bissau;
gy|guy|guyana; hk|hkg|hong kong; hm|hmd|heard island & mcdonald islands; hn|hnd|honduras;
hr|hrv|croatia|kroatien|hrvatska; ht|hti|haiti; hu|hun|hungary|ungarn|magyarország; id|idn|indonesia;
ie|irl|ireland|irland|éire|republic of ireland; il|isr|israel; im|imn|isle of man; in|ind|india|indien|bharat;
io|iot|british indian ocean territory; iq|irq|iraq; ir|irn|iran|iran, islamic republic of; is|isl|iceland;
it|ita|italy|italien|italia; je|jey|jersey; jm|jam|jamaica; jo|jor|jordan; jp|jpn|japan|nippon; ke|ken|kenya;
kg|kgz|kyrgyzstan; kh|khm|cambodia; ki|kir|kiribati; km|com|comoros; kn|kna|st kitts & nevis; kp|prk|korea
(north)|north korea; kr|kor|korea (south)|south korea|republic of korea|korea; kw|kwt|kuwait; ky|cym|cayman islands;
kz|kaz|kazakhstan; la|lao|laos|lao people's democratic republic; lb|lbn|lebanon; lc|lca|st lucia;
li|lie|liechtenstein; lk|lka|sri lanka; lr|lbr|liberia; ls|lso|lesotho; lt|ltu|lithuania; lu|lux|luxembourg;
lv|lva|latvia; ly|lby|libya; ma|mar|morocco; mc|mco|monaco; md|mda|moldova|moldova, republic of; me|mne|montenegro;
mf|maf|st martin (french)|st martin; mg|mdg|madagascar; mh|mhl|marshall islands; mk|mkd|north macedonia|macedonia;
ml|mli|mali; mm|mmr|myanmar (burma)|myanmar; mn|mng|mongolia; mo|mac|macau; mp|mnp|northern mariana islands;
mq|mtq|martinique; mr|mrt|mauritania; ms|msr|montserrat; mt|mlt|malta; mu|mus|mauritius; mv|mdv|maldives;
mw|mwi|malawi; mx|mex|mexico|méxico|mexiko; my|mys|malaysia; mz|moz|mozambique; na|nam|namibia; nc|ncl|new
caledonia; ne|ner|niger; nf|nfk|norfolk island; ng|nga|nigeria; ni|nic|nicaragua;
nl|nld|netherlands|niederlande|holland|the netherlands|nederland; no|nor|norway|norwegen|norge; np|npl|nepal;
nr|nru|nauru; nu|niu|niue; nz|nzl|new zealand|aotearoa; om|omn|oman; pa|pan|panama; pe|per|peru; pf|pyf|french
polynesia; pg|png|papua new guinea; ph|phl|philippines; pk|pak|pakistan; pl|pol|poland|polen|polska; pm|spm|st
pierre & miquelon; pn|pcn|pitcairn; pr|pri|puerto rico; ps|pse|palestine; pt|prt|portugal; pw|plw|palau;
py|pry|paraguay; qa|qat|qatar; re|reu|réunion; ro|rou|romania|rumänien|românia; rs|srb|serbia; ru|rus|russia|russian
federation|russland; rw|rwa|rwanda; sa|sau|saudi arabia; sb|slb|solomon islands; sc|syc|seychelles; sd|sdn|sudan;
se|swe|sweden|schweden|sverige; sg|sgp|singapore; sh|shn|st helena; si|svn|slovenia; sj|sjm|svalbard & jan mayen;
sk|svk|slovakia; sl|sle|sierra leone; sm|smr|san marino; sn|sen|senegal; so|som|somalia; sr|sur|suriname;
ss|ssd|south sudan; st|stp|sao tome & principe; sv|slv|el salvador; sx|sxm|st maarten (dutch)|st maarten;
sy|syr|syria|syrian arab republic; sz|swz|eswatini (swaziland)|eswatini; tc|tca|turks & caicos is; td|tcd|chad;
tf|atf|french s. terr.; tg|tgo|togo; th|tha|thailand; tj|tjk|tajikistan; tk|tkl|tokelau; tl|tls|east timor;
tm|tkm|turkmenistan; tn|tun|tunisia; to|ton|tonga; tr|tur|turkey|türkei|türkiye|turkiye; tt|tto|trinidad & tobago;
tv|tuv|tuvalu; tw|twn|taiwan|chinese taipei; tz|tza|tanzania|tanzania, united republic of; ua|ukr|ukraine;
ug|uga|uganda; um|umi|us minor outlying islands; us|usa|united states|u.s.|u.s.a.|united states of
america|america|vereinigte staaten|estados unidos|états-unis; uy|ury|uruguay; uz|uzb|uzbekistan; va|vat|vatican
city|holy see|vatican; vc|vct|st vincent; ve|ven|venezuela|venezuela, bolivarian republic of; vg|vgb|virgin islands
(uk)|virgin islands; vi|vir|virgin islands (us)|virgin islands; vn|vnm|vietnam|viet nam; vu|vut|vanuatu;
wf|wlf|wallis & futuna; ws|wsm|samoa (western)|samoa; ye|yem|yemen; yt|myt|mayotte; za|zaf|south africa|südafrika;
zm|zmb|zambia; zw|zwe|zimbabwe"""
