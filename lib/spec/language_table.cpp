// SPDX-License-Identifier: Apache-2.0
#include "spec/language_table.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace dragoman::spec {
namespace {

// Columns: ISO 639-3, 639-1, 639-2/B, usual script, name.
constexpr std::string_view kLanguages =
    "aar,aa,,Latn,Afar;aat,,,,Arvanitika Albanian;abk,ab,,Cyrl,Abkhazian;abq,,,Cyrl,Abaza;abs,,,,Ambonese Malay;"
    "abt,,,Latn,Ambulas;ace,,,Latn,Achinese;acf,,,Latn,Saint Lucian Creole French;ach,,,Latn,Acoli;"
    "acm,,,Arab,Mesopotamian Arabic;acq,,,Arab,Ta'izzi-Adeni Arabic;ada,,,Latn,Adangme;adh,,,,Adhola;"
    "ady,,,Cyrl,Adyghe;aeb,,,Arab,Tunisian Arabic;afb,,,Arab,Gulf Arabic;afh,,,,Afrihili;afr,af,,Latn,Afrikaans;"
    "agr,,,,Aguaruna;agx,,,Cyrl,Aghul;ahk,,,,Akha;ain,,,,Ainu;ajp,,,Arab,South Levantine Arabic;aka,ak,,Latn,Akan;"
    "akb,,,,Batak Angkola;akk,,,Xsux,Akkadian;akl,,,,Aklanon;ale,,,,Aleut;aln,,,Latn,Gheg Albanian;"
    "als,,,Latn,Tosk Albanian;alt,,,Cyrl,Southern Altai;alz,,,,Alur;amh,am,,Ethi,Amharic;amu,,,,Guerrero Amuzgo;"
    "ang,,,Latn,Old English;ann,,,Latn,Obolo;anp,,,,Angika;apc,,,Arab,North Levantine Arabic;ape,,,Latn,Bukiyip;"
    "ara,ar,,Arab,Arabic;arb,,,Arab,Standard Arabic;arc,,,Armi,Official Aramaic;arg,an,,Latn,Aragonese;"
    "arn,,,Latn,Mapudungun;arp,,,,Arapaho;ars,,,Arab,Najdi Arabic;arw,,,,Arawak;ary,,,Arab,Moroccan Arabic;"
    "arz,,,Arab,Egyptian Arabic;asm,as,,Beng,Assamese;ast,,,Latn,Asturian;ava,av,,Cyrl,Avar;ave,ae,,Avst,Avestan;"
    "avk,,,Latn,Kotava;awa,,,Deva,Awadhi;ayl,,,Arab,Libyan Arabic;aym,ay,,Latn,Aymara;ayr,,,Latn,Central Aymara;"
    "azb,,,Arab,South Azerbaijani;aze,az,,Latn,Azerbaijani;azj,,,Latn,North Azerbaijani;"
    "azz,,,,Highland Puebla Nahuatl;bak,ba,,Cyrl,Bashkir;bal,,,Arab,Baluchi;bam,bm,,Latn,Bambara;ban,,,Latn,Balinese;"
    "bar,,,Latn,Bavarian;bas,,,Latn,Basa;bbc,,,Latn,Batak Toba;bbl,,,Geor,Bats;bci,,,Latn,Baoulé;"
    "bcl,,,,Central Bikol;bej,,,Arab,Beja;bel,be,,Cyrl,Belarusian;bem,,,Latn,Bemba;ben,bn,,Beng,Bengali;"
    "bew,,,Latn,Betawi;bgp,,,Arab,Eastern Balochi;bho,,,Deva,Bhojpuri;bik,,,Latn,Bikol;bim,,,Latn,Bimoba;"
    "bin,,,Latn,Bini;bis,bi,,Latn,Bislama;bjn,,,Latn,Banjar;bla,,,Latn,Siksika;bod,bo,tib,Tibt,Tibetan;"
    "bos,bs,,Latn,Bosnian;bpy,,,Beng,Bishnupriya;bqc,,,Latn,Boko;bra,,,Deva,Braj;bre,br,,Latn,Breton;"
    "bru,,,,Eastern Bru;brx,,,Deva,Bodo;btd,,,,Batak Dairi;bts,,,,Batak Simalungun;btx,,,,Batak Karo;"
    "bua,,,Cyrl,Buriat;bug,,,Latn,Buginese;bul,bg,,Cyrl,Bulgarian;bum,,,Latn,Bulu;bus,,,Latn,Bokobaru;"
    "bxr,,,Cyrl,Russia Buriat;byn,,,Ethi,Bilin;bzj,,,Latn,Belize Kriol English;cab,,,,Garifuna;cac,,,,Chuj;"
    "cad,,,Latn,Caddo;cak,,,,Kaqchikel;car,,,,Galibi Carib;cat,ca,,Latn,Catalan;cbk,,,,Chavacano;cce,,,,Chopi;"
    "ceb,,,Latn,Cebuano;ces,cs,cze,Latn,Czech;cfm,,,,Falam Chin;cgg,,,Latn,Chiga;cha,ch,,Latn,Chamorro;"
    "chb,,,,Chibcha;che,ce,,Cyrl,Chechen;chg,,,Arab,Chagatai;chk,,,Latn,Chuukese;chm,,,Cyrl,Mari;"
    "chn,,,,Chinook jargon;cho,,,Latn,Choctaw;chp,,,Latn,Chipewyan;chr,,,Cher,Cherokee;chu,cu,,Cyrl,Church Slavic;"
    "chv,cv,,Cyrl,Chuvash;chy,,,,Cheyenne;cjk,,,Latn,Chokwe;cjs,,,Cyrl,Shor;cjy,,,Hans,Jin Chinese;"
    "ckb,,,Arab,Central Kurdish;cmn,,,Hans,Mandarin;cnh,,,,Hakha Chin;cnr,,,,Montenegrin;cop,,,Copt,Coptic;"
    "cor,kw,,Latn,Cornish;cos,co,,Latn,Corsican;cpg,,,Grek,Cappadocian Greek;cre,cr,,Cans,Cree;"
    "crh,,,Cyrl,Crimean Tatar;crk,,,Cans,Plains Cree;crs,,,Latn,Seselwa Creole French;csb,,,Latn,Kashubian;"
    "ctd,,,Pauc,Tedim Chin;ctu,,,,Chol;cuk,,,,San Blas Kuna;cym,cy,wel,Latn,Welsh;dak,,,Latn,Dakota;"
    "dan,da,,Latn,Danish;dar,,,Cyrl,Dargwa;del,,,,Delaware;den,,,Latn,Slave;deu,de,ger,Latn,German;dgr,,,Latn,Dogrib;"
    "dik,,,Latn,Southwestern Dinka;din,,,,Dinka;diq,,,,Dimli;div,dv,,Thaa,Dhivehi;dje,,,Latn,Zarma;"
    "djk,,,,Eastern Maroon Creole;dln,,,,Darlong;doi,,,Deva,Dogri;dov,,,,Dombe;dsb,,,Latn,Lower Sorbian;"
    "dtp,,,Latn,Kadazan Dusun;dty,,,Deva,Dotyali;dua,,,Latn,Duala;dum,,,,Middle Dutch;dwr,,,,Dawro;"
    "dws,,,,Dutton World Speedwords;dyu,,,Latn,Dyula;dzo,dz,,Tibt,Dzongkha;efi,,,Latn,Efik;egl,,,Latn,Emilian;"
    "egy,,,Egyp,Egyptian;eka,,,Latn,Ekajuk;ekk,,,Latn,Standard Estonian;ell,el,gre,Grek,Greek;elx,,,,Elamite;"
    "emp,,,,Northern Emberá;eng,en,,Latn,English;enm,,,Latn,Middle English;enq,,,Latn,Enga;epo,eo,,Latn,Esperanto;"
    "est,et,,Latn,Estonian;esu,,,Latn,Central Yupik;eus,eu,baq,Latn,Basque;evn,,,,Evenki;ewe,ee,,Latn,Ewe;"
    "ewo,,,Latn,Ewondo;ext,,,Latn,Extremaduran;fan,,,Latn,Fang;fao,fo,,Latn,Faroese;fas,fa,per,Arab,Persian;"
    "fat,,,,Fanti;ffm,,,Latn,Maasina Fulfulde;fij,fj,,Latn,Fijian;fil,,,Latn,Filipino;fin,fi,,Latn,Finnish;"
    "fip,,,,Fipa;fon,,,Latn,Fon;fra,fr,fre,Latn,French;frm,,,Latn,Middle French;fro,,,Latn,Old French;"
    "frp,,,Latn,Arpitan;frr,,,Latn,Northern Frisian;frs,,,Latn,Eastern Frisian;fry,fy,,Latn,Western Frisian;"
    "fuc,,,Latn,Pulaar;fuf,,,Latn,Pular;ful,ff,,Latn,Fulah;fur,,,Latn,Friulian;fuv,,,Latn,Nigerian Fulfulde;"
    "gaa,,,Latn,Ga;gag,,,Latn,Gagauz;gan,,,Hans,Gan Chinese;gay,,,Latn,Gayo;gaz,,,Latn,West Central Oromo;"
    "gba,,,Latn,Gbaya;gbm,,,Deva,Garhwali;gcf,,,Latn,Guadeloupean Creole French;gez,,,Ethi,Geez;"
    "gil,,,Latn,Gilbertese;gla,gd,,Latn,Scottish Gaelic;gle,ga,,Latn,Irish;glg,gl,,Latn,Galician;glv,gv,,Latn,Manx;"
    "gmh,,,Latn,Middle High German;gof,,,Ethi,Gofa;goh,,,Latn,Old High German;gom,,,Deva,Goan Konkani;"
    "gon,,,Telu,Gondi;gor,,,Latn,Gorontalo;gos,,,Latn,Gronings;got,,,Goth,Gothic;grb,,,Latn,Grebo;"
    "grc,,,Cprt,Ancient Greek;grn,gn,,Latn,Guarani;grt,,,Beng,Garo;gsw,,,Latn,Swiss German;gub,,,Latn,Guajajára;"
    "guc,,,Latn,Wayuu;gug,,,,Paraguayan Guaraní;guh,,,,Guahibo;gui,,,,Eastern Bolivian Guaraní;guj,gu,,Gujr,Gujarati;"
    "gvl,,,,Gulay;gwi,,,Latn,Gwichʼin;gym,,,,Ngäbere;hai,,,,Haida;hak,,,Hans,Hakka Chinese;"
    "hat,ht,,Latn,Haitian Creole;hau,ha,,Latn,Hausa;haw,,,Latn,Hawaiian;hbs,sh,,Latn,Serbo-Croatian;"
    "heb,he,,Hebr,Hebrew;her,hz,,Latn,Herero;hif,,,Latn,Fiji Hindi;hil,,,Latn,Hiligaynon;hin,hi,,Deva,Hindi;"
    "hit,,,,Hittite;hmn,,,Latn,Hmong;hmo,ho,,Latn,Hiri Motu;hne,,,Deva,Chhattisgarhi;hoc,,,Deva,Ho;"
    "hrv,hr,,Latn,Croatian;hsb,,,Latn,Upper Sorbian;hsn,,,Hans,Xiang Chinese;hui,,,Latn,Huli;hun,hu,,Latn,Hungarian;"
    "hup,,,,Hupa;hus,,,,Huastec;hvn,,,,Sabu;hwc,,,Latn,Hawai'i Creole English;hye,hy,arm,Armn,Armenian;"
    "hyw,,,Armn,Western Armenian;iba,,,Latn,Iban;ibb,,,Latn,Ibibio;ibo,ig,,Latn,Igbo;ido,io,,Latn,Ido;"
    "ify,,,,Keley-I Kallahan;iii,ii,,Yiii,Sichuan Yi;ike,,,,Eastern Canadian Inuktitut;ikt,,,,Inuinnaqtun;"
    "iku,iu,,Cans,Inuktitut;ile,ie,,Latn,Interlingue;ilo,,,Latn,Iloko;ina,ia,,Latn,Interlingua;inb,,,,Inga;"
    "ind,id,,Latn,Indonesian;inh,,,Cyrl,Ingush;ipk,ik,,Latn,Inupiaq;isl,is,ice,Latn,Icelandic;iso,,,,Isoko;"
    "ist,,,Latn,Istriot;ita,it,,Latn,Italian;ium,,,,Iu Mien;izh,,,Latn,Ingrian;izz,,,,Izii;jac,,,,Popti';"
    "jak,,,,Jakun;jam,,,Latn,Jamaican Creole English;jav,jv,,Latn,Javanese;jbo,,,Latn,Lojban;jiv,,,,Shuar;"
    "jpn,ja,,Jpan,Japanese;jpr,,,,Judeo-Persian;jrb,,,Hebr,Judeo-Arabic;jvn,,,,Caribbean Javanese;"
    "kaa,,,Cyrl,Kara-Kalpak;kab,,,Latn,Kabyle;kac,,,Latn,Kachin;kal,kl,,Latn,Kalaallisut;kam,,,Latn,Kamba;"
    "kan,kn,,Knda,Kannada;kas,ks,,Arab,Kashmiri;kat,ka,geo,Geor,Georgian;kau,kr,,Latn,Kanuri;kaw,,,Kawi,Kawi;"
    "kaz,kk,,Cyrl,Kazakh;kbd,,,Cyrl,Kabardian;kbp,,,Latn,Kabiyè;kca,,,Cyrl,Khanty;kea,,,Latn,Kabuverdianu;"
    "kek,,,Latn,Kekchí;ket,,,Cyrl,Ket;kha,,,Latn,Khasi;khk,,,Cyrl,Halh Mongolian;khm,km,,Khmr,Khmer;kho,,,,Khotanese;"
    "kik,ki,,Latn,Kikuyu;kin,rw,,Latn,Kinyarwanda;kir,ky,,Cyrl,Kyrgyz;kiu,,,Latn,Kirmanjki;kjg,,,Laoo,Khmu;"
    "kjh,,,Cyrl,Khakas;kmb,,,Latn,Kimbundu;kmr,,,Latn,Northern Kurdish;kmz,,,,Khorasani Turkish;"
    "knc,,,,Central Kanuri;kng,,,,Koongo;knj,,,,Western Kanjobal;koi,,,Cyrl,Komi-Permyak;kok,,,Deva,Konkani;"
    "kom,kv,,Cyrl,Komi;kon,kg,,Latn,Kongo;kor,ko,,Hang,Korean;kos,,,Latn,Kosraean;kpe,,,Latn,Kpelle;"
    "kpv,,,Cyrl,Komi-Zyrian;krc,,,Cyrl,Karachay-Balkar;kri,,,Latn,Krio;krl,,,Latn,Karelian;kru,,,Deva,Kurukh;"
    "ksd,,,Latn,Kuanua;ksh,,,Latn,Kölsch;ksw,,,,S'gaw Karen;ktu,,,,Kituba;kua,kj,,Latn,Kuanyama;kum,,,Cyrl,Kumyk;"
    "kur,ku,,Latn,Kurdish;kut,,,,Kutenai;kwi,,,,Awa-Cuaiquer;kxi,,,,Keningau Murut;lad,,,Hebr,Ladino;"
    "lah,,,Arab,Lahnda;laj,,,Latn,Lango;lam,,,,Lamba;lao,lo,,Laoo,Lao;lat,la,,Latn,Latin;lav,lv,,Latn,Latvian;"
    "lbe,,,Cyrl,Lak;ldn,,,Latn,Láadan;lez,,,Cyrl,Lezghian;lfn,,,Latn,Lingua Franca Nova;lhu,,,,Lahu;"
    "lij,,,Latn,Ligurian;lim,li,,Latn,Limburgish;lin,ln,,Latn,Lingala;lit,lt,,Latn,Lithuanian;liv,,,Latn,Liv;"
    "lki,,,Arab,Laki;lkt,,,Latn,Lakota;lld,,,Latn,Ladin;lmo,,,Latn,Lombard;lol,,,Latn,Mongo;loz,,,Latn,Lozi;"
    "lrc,,,Arab,Northern Luri;ltg,,,Latn,Latgalian;ltz,lb,,Latn,Luxembourgish;lua,,,Latn,Luba-Lulua;"
    "lub,lu,,Latn,Luba-Katanga;lug,lg,,Latn,Ganda;lui,,,,Luiseno;lun,,,,Lunda;luo,,,Latn,Luo;lus,,,Latn,Lushai;"
    "luy,,,Latn,Luyia;lvs,,,Latn,Standard Latvian;lzh,,,Hans,Literary Chinese;lzz,,,Latn,Laz;mad,,,Latn,Madurese;"
    "mag,,,Deva,Magahi;mah,mh,,Latn,Marshallese;mai,,,Deva,Maithili;mak,,,Latn,Makasar;mal,ml,,Mlym,Malayalam;"
    "mam,,,Latn,Mam;man,,,Latn,Mandingo;mar,mr,,Deva,Marathi;mas,,,Latn,Masai;max,,,,North Moluccan Malay;"
    "maz,,,Latn,Central Mazahua;mbt,,,,Matigsalug Manobo;mdf,,,Cyrl,Moksha;mdh,,,Latn,Maguindanaon;mdr,,,Latn,Mandar;"
    "men,,,Latn,Mende;meo,,,,Kedah Malay;meu,,,Latn,Motu;mfe,,,Latn,Morisyen;mga,,,,Middle Irish;"
    "mgh,,,Latn,Makhuwa-Meetto;mhr,,,Cyrl,Eastern Mari;mic,,,Latn,Mi'kmaq;min,,,Latn,Minangkabau;miq,,,,Mískito;"
    "mkd,mk,mac,Cyrl,Macedonian;mkn,,,,Kupang Malay;mlg,mg,,Latn,Malagasy;mlt,mt,,Latn,Maltese;mnc,,,,Manchu;"
    "mni,,,Beng,Manipuri;mns,,,Cyrl,Mansi;moh,,,Latn,Mohawk;mon,mn,,Cyrl,Mongolian;mos,,,Latn,Mossi;"
    "mps,,,Latn,Dadibi;mqy,,,,Manggarai;mri,mi,mao,Latn,Maori;mrj,,,Cyrl,Western Mari;mrw,,,,Maranao;"
    "msa,ms,may,Latn,Malay;msb,,,,Masbatenyo;msi,,,,Sabah Malay;msm,,,,Agusan Manobo;mus,,,Latn,Creek;"
    "mvf,,,,Peripheral Mongolian;mwl,,,Latn,Mirandese;mwr,,,Deva,Marwari;mya,my,bur,Mymr,Burmese;myv,,,Cyrl,Erzya;"
    "nag,,,,Naga Pidgin;nan,,,Hans,Min Nan Chinese;nap,,,Latn,Neapolitan;nau,na,,Latn,Nauru;nav,nv,,Latn,Navajo;"
    "nbl,nr,,Latn,South Ndebele;nch,,,Latn,Central Huasteca Nahuatl;ndc,,,Latn,Ndau;nde,nd,,Latn,North Ndebele;"
    "ndo,ng,,Latn,Ndonga;nds,,,Latn,Low German;nep,ne,,Deva,Nepali;new,,,Deva,Newari;ngu,,,,Guerrero Nahuatl;"
    "nhe,,,Latn,Eastern Huasteca Nahuatl;nhn,,,,Central Nahuatl;nia,,,,Nias;nij,,,Latn,Ngaju;nio,,,Cyrl,Nganasan;"
    "niq,,,,Nandi;niu,,,Latn,Niuean;niv,,,Cyrl,Gilyak;nld,nl,dut,Latn,Dutch;nnb,,,,Nande;"
    "nno,nn,,Latn,Norwegian Nynorsk;noa,,,,Woun Meu;nob,nb,,Latn,Norwegian Bokmål;nog,,,Cyrl,Nogai;"
    "non,,,Runr,Old Norse;nor,no,,Latn,Norwegian;nov,,,Latn,Novial;npi,,,Deva,Nepali;nqo,,,Nkoo,N'Ko;nrm,,,,Narom;"
    "nso,,,Latn,Northern Sotho;nst,,,Tnsa,Tase Naga;nus,,,Latn,Nuer;nut,,,,Nung;nwc,,,,Classical Newari;"
    "nya,ny,,Latn,Nyanja;nym,,,Latn,Nyamwezi;nyn,,,Latn,Nyankole;nyo,,,,Nyoro;nyu,,,,Nyungwe;nzi,,,Latn,Nzima;"
    "oci,oc,,Latn,Occitan;ojb,,,,Northwestern Ojibwa;oji,oj,,Cans,Ojibwa;oka,,,Latn,Okanagan;olo,,,Latn,Livvi;"
    "ori,or,,Orya,Odia;orm,om,,Latn,Oromo;orv,,,Cyrl,Old Russian;ory,,,Orya,Odia;osa,,,Osge,Osage;"
    "oss,os,,Cyrl,Ossetian;osx,,,Latn,Old Saxon;ota,,,Arab,Ottoman Turkish;otq,,,,Querétaro Otomi;"
    "pag,,,Latn,Pangasinan;pal,,,Phli,Pahlavi;pam,,,Latn,Pampanga;pan,pa,,Guru,Punjabi;pap,,,Latn,Papiamento;"
    "pau,,,Latn,Palauan;pbt,,,Arab,Southern Pashto;pcd,,,Latn,Picard;pck,,,,Paite Chin;pcm,,,Latn,Nigerian Pidgin;"
    "pdc,,,Latn,Pennsylvania German;peo,,,Xpeo,Old Persian;pes,,,Arab,Iranian Persian;pfl,,,Latn,Pfaelzisch;"
    "phn,,,Phnx,Phoenician;pis,,,Latn,Pijin;pli,pi,,Deva,Pali;plt,,,Latn,Plateau Malagasy;pms,,,Latn,Piemontese;"
    "pnb,,,Arab,Western Panjabi;pnt,,,Grek,Pontic;pol,pl,,Latn,Polish;pon,,,Latn,Pohnpeian;por,pt,,Latn,Portuguese;"
    "ppk,,,,Uma;pro,,,,Old Provençal;prs,,,Arab,Dari;pus,ps,,Arab,Pashto;qub,,,,Huallaga Huánuco Quechua;"
    "quc,,,Latn,K'iche';que,qu,,Latn,Quechua;quf,,,,Lambayeque Quechua;quh,,,,South Bolivian Quechua;"
    "qup,,,,Southern Pastaza Quechua;quy,,,Latn,Ayacucho Quechua;quz,,,Latn,Cusco Quechua;qvc,,,,Cajamarca Quechua;"
    "qvi,,,,Imbabura Highland Quichua;qvz,,,,Northern Pastaza Quichua;qxr,,,,Cañar Highland Quichua;qya,,,,Quenya;"
    "raj,,,Deva,Rajasthani;rap,,,,Rapanui;rar,,,,Rarotongan;rcf,,,Latn,Réunion Creole French;rgn,,,Latn,Romagnol;"
    "rhg,,,Rohg,Rohingya;rif,,,Tfng,Tarifit;rki,,,,Rakhine;rmc,,,,Carpathian Romani;roh,rm,,Latn,Romansh;"
    "rom,,,Latn,Romany;ron,ro,rum,Latn,Romanian;rue,,,Cyrl,Rusyn;run,rn,,Latn,Rundi;ruo,,,Latn,Istro Romanian;"
    "rup,,,Latn,Macedo-Romanian;ruq,,,Latn,Megleno Romanian;rus,ru,,Cyrl,Russian;rut,,,Cyrl,Rutul;rwo,,,Latn,Rawa;"
    "sad,,,,Sandawe;sag,sg,,Latn,Sango;sah,,,Cyrl,Yakut;sam,,,,Samaritan Aramaic;san,sa,,Deva,Sanskrit;"
    "sas,,,Latn,Sasak;sat,,,Olck,Santali;sck,,,Deva,Sadri;scn,,,Latn,Sicilian;sco,,,Latn,Scots;sda,,,,Toraja-Sa'dan;"
    "sdh,,,Arab,Southern Kurdish;seh,,,Latn,Sena;sel,,,Cyrl,Selkup;sga,,,Ogam,Old Irish;sgs,,,Latn,Samogitian;"
    "shi,,,Tfng,Tachelhit;shn,,,Mymr,Shan;shp,,,,Shipibo-Conibo;shu,,,Arab,Chadian Arabic;shy,,,,Tachawit;"
    "sid,,,Latn,Sidamo;sin,si,,Sinh,Sinhala;sja,,,,Epena;sjn,,,,Sindarin;skr,,,Arab,Saraiki;slk,sk,slo,Latn,Slovak;"
    "slv,sl,,Latn,Slovenian;sma,,,Latn,Southern Sami;sme,se,,Latn,Northern Sami;smj,,,Latn,Lule Sami;"
    "smn,,,Latn,Inari Sami;smo,sm,,Latn,Samoan;sms,,,Latn,Skolt Sami;smt,,,,Simte;sna,sn,,Latn,Shona;"
    "snd,sd,,Arab,Sindhi;snk,,,Latn,Soninke;sog,,,Sogd,Sogdian;som,so,,Latn,Somali;sot,st,,Latn,Southern Sotho;"
    "spa,es,,Latn,Spanish;spp,,,,Supyire Senoufo;sqi,sq,alb,Latn,Albanian;srd,sc,,Latn,Sardinian;srm,,,,Saramaccan;"
    "srn,,,Latn,Sranan Tongo;srp,sr,,Cyrl,Serbian;srr,,,Latn,Serer;ssw,ss,,Latn,Swati;stq,,,Latn,Saterfriesisch;"
    "suk,,,Latn,Sukuma;sun,su,,Latn,Sundanese;sus,,,Latn,Susu;sux,,,,Sumerian;suz,,,,Sunwar;sva,,,Geor,Svan;"
    "swa,sw,,Latn,Swahili;swc,,,Latn,Congo Swahili;swe,sv,,Latn,Swedish;swg,,,Latn,Swabian;swh,,,Latn,Swahili;"
    "sxn,,,Latn,Sangir;syc,,,Syrc,Classical Syriac;syr,,,Syrc,Syriac;szl,,,Latn,Silesian;tab,,,Cyrl,Tabassaran;"
    "tah,ty,,Latn,Tahitian;taj,,,Deva,Eastern Tamang;tam,ta,,Taml,Tamil;taq,,,Latn,Tamasheq;tat,tt,,Cyrl,Tatar;"
    "tbz,,,Latn,Ditammari;tca,,,,Ticuna;tcy,,,Knda,Tulu;tdt,,,Latn,Tetun Dili;tdx,,,,Tandroy-Mahafaly Malagasy;"
    "tel,te,,Telu,Telugu;tem,,,Latn,Timne;teo,,,Latn,Teso;ter,,,,Tereno;tet,,,Latn,Tetum;tgk,tg,,Cyrl,Tajik;"
    "tgl,tl,,Latn,Tagalog;tha,th,,Thai,Thai;thv,,,,Tahaggart Tamahaq;tig,,,Ethi,Tigre;tir,ti,,Ethi,Tigrinya;"
    "tiv,,,Latn,Tiv;tkl,,,Latn,Tokelau;tks,,,,Takestani;tlh,,,Latn,Klingon;tli,,,,Tlingit;tll,,,,Tetela;"
    "tly,,,Latn,Talysh;tmh,,,Latn,Tamashek;tmw,,,,Temuan;tog,,,Latn,Tonga (Nyasa);toi,,,,Tonga;toj,,,,Tojolabal;"
    "tok,,,Latn,Toki Pona;ton,to,,Latn,Tongan;tpi,,,Latn,Tok Pisin;trp,,,,Kok Borok;tsc,,,,Tswa;tsg,,,Latn,Tausug;"
    "tsi,,,,Tsimshian;tsn,tn,,Latn,Tswana;tso,ts,,Latn,Tsonga;tuc,,,,Mutu;tuk,tk,,Latn,Turkmen;tum,,,Latn,Tumbuka;"
    "tur,tr,,Latn,Turkish;tvl,,,Latn,Tuvalu;twi,tw,,Latn,Twi;twu,,,,Termanu;tyv,,,Cyrl,Tuvinian;tyz,,,,Tày;"
    "tzh,,,,Tzeltal;tzj,,,,Tz'utujil;tzl,,,Latn,Talossan;tzm,,,Latn,Central Atlas Tamazight;tzo,,,,Tzotzil;"
    "ubu,,,Latn,Umbu-Ungu;udi,,,Aghb,Udi;udm,,,Cyrl,Udmurt;uga,,,Ugar,Ugaritic;uig,ug,,Arab,Uyghur;"
    "ukr,uk,,Cyrl,Ukrainian;umb,,,Latn,Umbundu;urd,ur,,Arab,Urdu;uzb,uz,,Latn,Uzbek;uzn,,,Latn,Northern Uzbek;"
    "uzs,,,Arab,Southern Uzbek;vai,,,Vaii,Vai;vec,,,Latn,Venetian;ven,ve,,Latn,Venda;vep,,,Latn,Veps;"
    "vie,vi,,Latn,Vietnamese;vls,,,Latn,Vlaams;vol,vo,,Latn,Volapük;vot,,,Latn,Votic;vro,,,Latn,Võro;"
    "wal,,,Ethi,Wolaytta;war,,,Latn,Waray;was,,,,Washo;wln,wa,,Latn,Walloon;wol,wo,,Latn,Wolof;wuu,,,Hans,Wu Chinese;"
    "xal,,,Cyrl,Kalmyk;xho,xh,,Latn,Xhosa;xmf,,,Geor,Mingrelian;yao,,,Latn,Yao;yap,,,Latn,Yapese;"
    "ydd,,,Hebr,Eastern Yiddish;yid,yi,,Hebr,Yiddish;yor,yo,,Latn,Yoruba;yrk,,,Cyrl,Nenets;yua,,,Latn,Yucateco;"
    "yue,,,Hant,Cantonese;zap,,,,Zapotec;zbl,,,,Blissymbols;zea,,,Latn,Zeeuws;zen,,,,Zenaga;"
    "zgh,,,Tfng,Standard Moroccan Tamazight;zha,za,,Latn,Zhuang;zho,zh,chi,Hans,Chinese;zlm,,,Latn,Malay;"
    "zne,,,Latn,Zande;zsm,,,Latn,Standard Malay;zul,zu,,Latn,Zulu;zun,,,,Zuni;zza,,,Latn,Zaza;";

// Groups of ISO 639-5.
constexpr std::string_view kGroups =
    "aav,Austro-Asiatic languages;afa,Afro-Asiatic languages;alg,Algonquian languages;alv,Atlantic-Congo languages;"
    "apa,Apache languages;aqa,Alacalufan languages;aql,Algic languages;art,Artificial languages;"
    "ath,Athapascan languages;auf,Arauan languages;aus,Australian languages;awd,Arawakan languages;"
    "azc,Uto-Aztecan languages;bad,Banda languages;bai,Bamileke languages;bat,Baltic languages;ber,Berber languages;"
    "bih,Bihari languages;bnt,Bantu languages;btk,Batak languages;cai,Central American Indian languages;"
    "cau,Caucasian languages;cba,Chibchan languages;ccn,North Caucasian languages;ccs,South Caucasian languages;"
    "cdc,Chadic languages;cdd,Caddoan languages;cel,Celtic languages;cmc,Chamic languages;"
    "cpe,Creoles and pidgins, English‑based;cpf,Creoles and pidgins, French‑based;"
    "cpp,Creoles and pidgins, Portuguese-based;crp,Creoles and pidgins;csu,Central Sudanic languages;"
    "cus,Cushitic languages;day,Land Dayak languages;dmn,Mande languages;dra,Dravidian languages;"
    "egx,Egyptian languages;esx,Eskimo-Aleut languages;euq,Basque;fiu,Finno-Ugrian languages;fox,Formosan languages;"
    "gem,Germanic languages;gme,East Germanic languages;gmq,North Germanic languages;gmw,West Germanic languages;"
    "grk,Greek languages;hmx,Hmong-Mien languages;hok,Hokan languages;hyx,Armenian;iir,Indo-Iranian languages;"
    "ijo,Ijo languages;inc,Indic languages;ine,Indo-European languages;ira,Iranian languages;iro,Iroquoian languages;"
    "itc,Italic languages;jpx,Japanese;kar,Karen languages;kdo,Kordofanian languages;khi,Khoisan languages;"
    "kro,Kru languages;map,Austronesian languages;mkh,Mon-Khmer languages;mno,Manobo languages;mun,Munda languages;"
    "myn,Mayan languages;nah,Nahuatl languages;nai,North American Indian languages;ngf,Trans-New Guinea languages;"
    "nic,Niger-Kordofanian languages;nub,Nubian languages;omq,Oto-Manguean languages;omv,Omotic languages;"
    "oto,Otomian languages;paa,Papuan languages;phi,Philippine languages;plf,Central Malayo-Polynesian languages;"
    "poz,Malayo-Polynesian languages;pqe,Eastern Malayo-Polynesian languages;pqw,Western Malayo-Polynesian languages;"
    "pra,Prakrit languages;qwe,Quechuan;roa,Romance languages;sai,South American Indian languages;"
    "sal,Salishan languages;sdv,Eastern Sudanic languages;sem,Semitic languages;sgn,sign languages;"
    "sio,Siouan languages;sit,Sino-Tibetan languages;sla,Slavic languages;smi,Sami languages;son,Songhai languages;"
    "sqj,Albanian languages;ssa,Nilo-Saharan languages;syd,Samoyedic languages;tai,Tai languages;"
    "tbq,Tibeto-Burman languages;trk,Turkic languages;tup,Tupi languages;tut,Altaic languages;tuw,Tungus languages;"
    "urj,Uralic languages;wak,Wakashan languages;wen,Sorbian languages;xgn,Mongolian languages;xnd,Na-Dene languages;"
    "ypk,Yupik languages;zhx,Chinese;zle,East Slavic languages;zls,South Slavic languages;zlw,West Slavic languages;"
    "znd,Zande languages;";

std::string_view take(std::string_view& rest, char end) {
    const std::string_view taken = rest.substr(0, rest.find(end));
    rest.remove_prefix(std::min(taken.size() + 1, rest.size()));
    return taken;
}

std::vector<LanguageRow> read_rows() {
    std::vector<LanguageRow> rows;
    for (std::string_view rest = kLanguages; !rest.empty();) {
        std::string_view line = take(rest, ';');
        LanguageRow& row = rows.emplace_back();
        for (std::string_view* field : {&row.three, &row.two, &row.bibliographic, &row.script, &row.name})
            *field = take(line, ',');
    }
    for (std::string_view rest = kGroups; !rest.empty();) {
        std::string_view line = take(rest, ';');
        const std::string_view code = take(line, ',');
        rows.push_back({.three = code, .two = {}, .bibliographic = {}, .script = {}, .name = line, .group = true});
    }
    return rows;
}

}  // namespace

std::span<const LanguageRow> all_languages() {
    static const std::vector<LanguageRow> rows = read_rows();
    return rows;
}

const LanguageRow* find_language(std::string_view code) {
    static const auto by_code = [] {
        std::unordered_map<std::string_view, const LanguageRow*> map;
        for (const LanguageRow& row : all_languages())
            for (const std::string_view one : {row.three, row.two, row.bibliographic})
                if (!one.empty()) map.emplace(one, &row);
        return map;
    }();
    const auto found = by_code.find(code);
    return found == by_code.end() ? nullptr : found->second;
}

}  // namespace dragoman::spec
