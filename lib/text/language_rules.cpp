// SPDX-License-Identifier: Apache-2.0
// CLDR's lists of abbreviations are not used: they hold "Test.", "PIN." (German), "Ok.", "Link." (English), which end
// sentences, and differ between versions of ICU.
#include "text/language_rules.h"

#include <algorithm>
#include <array>
#include <map>

#include "spec/language_tag.h"

namespace dragoman::text {
namespace {

struct Table {
    std::string_view code;
    bool ordinals, capital_nouns;
    std::string_view always, before_number, often, starters;
};

constexpr std::string_view kGerman =
    "der die das ein eine einer eines einem einen es er sie ich wir ihr du man dies diese dieser dieses dem den des "
    "dann danach dort da hier heute gestern morgen jetzt nun aber und oder doch denn auch nur noch schon wenn als ob "
    "weil während nach vor seit bei mit für in im am an auf aus zu zum zur von vom bis durch gegen ohne um unter über "
    "so wie was wer wo wann warum welche welcher welches alle alles allerdings außerdem daher deshalb dabei damit "
    "dazu jedoch trotzdem zudem mein dein sein unser euer ihre seine meine unsere kein keine nicht nichts jeder jede "
    "jedes viele einige manche bitte ja nein sonst später zuerst zunächst schließlich insgesamt laut sobald bisher "
    "anschließend darum darauf darüber danke mir mich uns ist sind war hat haben kann vielleicht beide zwei drei "
    "siehe vgl";

constexpr std::string_view kEnglish =
    "the a an this that these those he she it we you they i his her its our their my your there here when while after "
    "before in on at as if but and or so then for from by with to no not what who why how where which however "
    "although though since because both all many some most one two it's he's she's that's there's i'm i've we're "
    "they're let do does did is are was were can could will would should may might please yes now today also another "
    "each every during under over about according despite unlike like other several few nobody everyone someone such "
    "until once only even still perhaps maybe later finally meanwhile moreover furthermore instead don't";

constexpr std::string_view kFrench =
    "le la les l un une des ce cet cette ces c'est c il elle ils elles on nous vous je j tu mais et ou donc or ni car "
    "dans sur sous avec pour par en au aux du de à puis ensuite alors ainsi quand lorsque lorsqu si comme son sa ses "
    "leur leurs mon ma mes ton ta tes notre votre nos vos qui que qu quoi où après avant depuis pendant cependant "
    "toutefois aujourd'hui hier demain tout tous toutes chaque plusieurs certains selon voici voilà oui non ne pas "
    "cela ça";

constexpr std::string_view kSpanish =
    "el la los las un una unos unas lo él ella ellos ellas yo tú usted ustedes nosotros este esta estos estas ese esa "
    "eso esto aquel aquella pero y e o u si no sí que qué quién cuando cuándo como cómo donde dónde porque por para "
    "con sin en de del al a desde hasta entre sobre según tras durante después antes luego entonces así también "
    "además aunque mientras su sus mi mis tu tus nuestro nuestra hoy ayer mañana ahora aquí allí hay es son fue era "
    "todo todos todas cada muchos algunos otro otra se me te nos le les";

constexpr std::string_view kItalian =
    "il lo la i gli le l un uno una questo questa questi queste quello quella quelli quelle egli ella lui lei loro io "
    "tu noi voi ma e ed o se non che chi cosa quando come dove perché per con senza in nel nella nei nelle di del "
    "della dei delle a al alla ai alle da dal dalla su sul sulla fra tra dopo prima poi allora così anche inoltre "
    "però quindi mentre suo sua suoi sue mio mia nostro oggi ieri domani ora qui c'è è sono era ogni molti alcuni "
    "tutti tutto si ci";

constexpr std::string_view kPortuguese =
    "o a os as um uma uns umas ele ela eles elas eu tu você vocês nós este esta estes estas esse essa isso isto "
    "aquele aquela mas e ou se não sim que quem quando como onde porque por para com sem em no na nos nas de do da "
    "dos das ao à desde até entre sobre segundo após durante depois antes então assim também além embora enquanto seu "
    "sua seus suas meu minha nosso nossa hoje ontem amanhã agora aqui há é são foi era todo todos todas cada muitos "
    "alguns";

constexpr std::string_view kDutch =
    "de het een hij zij ze ik wij we jij je u jullie dit dat deze die er daar hier maar en of want dus als toen "
    "wanneer omdat terwijl na voor voordat in op aan bij met zonder van uit tot tegen door om over onder volgens "
    "sinds tijdens dan daarna later nu vandaag gisteren morgen ook echter bovendien zijn haar hun mijn ons onze wat "
    "wie waar waarom hoe welke alle alles veel sommige elke ieder geen niet niets ja nee is was heeft";

constexpr std::string_view kScandinavian =
    "det den de en et ett han hun hon jeg jag vi du ni dere i er är var men og och eller eller så da då når när hvis "
    "om fordi derfor därför etter efter før före på med uten utan for för fra från til till av om dette detta disse "
    "dessa denne denna der där her här nå nu i idag igår nej ja hvad hva vad hvem vem hvor hvorfor varför hvordan "
    "alle alla mange många noen nogle några min mitt din sin hans hennes vår deres også också dog";

constexpr std::string_view kRussian =
    "он она оно они я мы ты вы это этот эта эти тот та те то и а но или если когда как где куда почему что кто в во "
    "на с со к ко по из от до для о об при без под над за через после перед между однако поэтому потом затем тогда "
    "также теперь сегодня вчера завтра здесь там его её их мой моя наш наша ваш все всё каждый многие некоторые не "
    "нет да был была было были у уже ещё так такой такие";

constexpr std::string_view kUkrainian =
    "він вона воно вони я ми ти ви це цей ця ці той та те то і й а але або якщо коли як де куди чому що хто в у на з "
    "із зі до для про при без під над за через після перед між однак тому потім тоді також тепер сьогодні вчора "
    "завтра тут там його її їх мій наш ваш усі всі кожен багато деякі не ні так був була було були вже ще";

constexpr std::string_view kPolish =
    "on ona ono oni one ja my ty wy pan pani to ten ta te ci tamten i a ale lub albo jeśli jeżeli gdy kiedy jak gdzie "
    "dlaczego co kto w we na z ze do dla o od przez przy bez pod nad za po przed między jednak dlatego potem "
    "następnie wtedy także również teraz dziś dzisiaj wczoraj jutro tutaj tam jego jej ich mój nasz wszyscy każdy "
    "wiele niektórzy nie tak był była było byli są jest już jeszcze";

constexpr std::string_view kCzech =
    "on ona ono oni já my ty vy to ten ta tito tyto i a ale nebo jestli pokud když jak kde kam proč co kdo v ve na s "
    "se z ze do pro o od při bez pod nad za po před mezi však proto potom pak tehdy také nyní dnes včera zítra tady "
    "tam jeho její jejich můj náš všichni každý mnoho někteří ne ano byl byla bylo byli jsou je už ještě ako keď ale "
    "alebo ktorý";

// The order is code, ordinals, capital nouns, always, before_number, often, starters. The first table is the neutral
// one.
constexpr std::array kTables{
    Table{"", true, true,
          "dr prof mr mrs ms mme mlle sr sra srta sres dra dott sig sig.ra ing dipl-ing mag hr hrn bzw ggf inkl zzgl "
          "ca vgl z.b d.h i.d.r e.g i.e p.ex p.ej vs st gen col capt lt sgt cpl rev hon mt prof.dr dr.med dr.phil "
          "проф г-н г-жа ул т.е т.к напр см",
          "no nos nr núm num n art fig figs abb tab kap cap ch sec sect vol vols p pp pág págs pag s z bd abs § op ed "
          "рис табл гл стр с п ст",
          "etc usw inc ltd co corp bros jr u.s u.s.a u.k u.n a.m p.m e.v гг г в вв руб тыс млн др", ""},
    Table{
        "de", true, true,
        "dr prof hr hrn fr frl hl dipl dipl-ing dipl-kfm dipl-inf ing med phil jur rer.nat dr.med dr.phil dr.jur "
        "prof.dr st z.b d.h i.d.r u.u i.a i.v z.t z.zt m.e m.w o.g u.g s.o s.u v.a u.v.a v.chr n.chr v.u.z n.u.z "
        "bzw bzgl evtl ggf ggfs inkl exkl einschl zzgl abzgl ca vgl sog geb gest verh verst gesch ehem eigtl urspr "
        "entspr vors stellv allg bes insb insbes mind kath evang röm griech lat engl franz dt österr schweiz nördl "
        "südl östl westl jew betr bspw dgl gem gez hrsg lt mtl tgl wtl str pl tel fax u.a.w.g k.u.k a.d a.m i.br "
        "a.d.ö o.ä.d gebr fa vorm nachm univ fakult rd ungef zw usf z.hd i.h.v i.s.d s.a z.z m.a.w d.i r.d stv komm "
        "red übers verf anm jg o.b.d.a mr mrs ms vs",
        "nr nrn art abb abs kap bd bde tab aufl ausg ziff s st§ § bsp absch abschn anl par sp zi pos tz rn rz rdnr "
        "anh verz jh jhs hs no fn op az ",
        "usw etc max mag u.a u.ä o.ä u.dgl e.v a.a.o ff f jh jhd jhdt jhs mio mrd mia bio tsd std min sek stk co inc ltd u.s.w "
        "u.s.f d.j d.ä m.b.h jun sen u.s u.s.a u.s.w p.m a.m jan feb febr apr aug sept sep okt nov dez fr ",
        kGerman},
    Table{"en", false, false,
          "mr mrs ms mx dr prof rev fr hon mt gen col maj capt cmdr cdr lt lt.col sgt cpl pvt adm gov sen rep pres "
          "supt insp messrs mme mlle e.g i.e eg ie viz cf vs v approx ca dipl asst assoc ",
          "no nos art fig figs sec secs sect ch chap vol vols p pp pg par para eq eqs ref refs tab app ex op col est "
          "pt ver jan feb mar apr jun jul aug sep sept oct nov dec cl §",
          "etc st inc ltd co corp bros jr sr u.s u.s.a u.k u.n e.u d.c l.a n.y a.m p.m a.d b.c b.c.e c.e ph.d m.d b.a "
          "m.a b.sc m.sc m.b.a est dept univ assn al et.al et.alia ave blvd rd hwy ft oz lb lbs mi hr hrs mins secs "
          "approx jan feb aug sept sep oct nov dec plc pty llc bldg dist div inst int'l max min misc esq r.i.p p.s "
          "p.o n.b",
          kEnglish},
    Table{"fr", false, false,
          "m mm mme mmes mlle mlles dr drs pr prof me mgr st ste ss p.ex c.-à-d c.a.d cf v adr env vs boul bd av.j.-c "
          "ap.j.-c gén col cap cdt lt dir resp réf tél hab éd",
          "n nos no art fig chap vol t p pp tab al § ex av apr",
          "etc s.a s.a.r.l sarl cie inc ltd j.-c o.n.u u.e é.-u n.b p.s janv févr avr juil sept oct nov déc", kFrench},
    Table{"es", false, false,
          "sr sra srta sres sras srtas dr dra dres d dña dn prof profa lic ing arq gral cnel cap tte sto sta p.ej "
          "v.gr vs av avda excmo excma ilmo ilma rvdo hno hna fdo dpto depto mons pbro",
          "núm num n no nº art arts fig figs cap caps vol vols p pp pág págs t § tel",
          "etc ud uds vd vds s.a s.l s.r.l cía cia inc ltd ltda ee.uu ee.uu.aa u.e a.c d.c a.m p.m n.b p.d aprox ene "
          "feb abr jun jul ago sept oct nov dic jr corp",
          kSpanish},
    Table{"it", false, false,
          "sig sigg sig.ra sig.na dott dott.ssa dr prof prof.ssa avv ing arch geom rag on sen mons gen col cap ten s "
          "ss p.es ad.es es cfr cf vs c.so p.zza v.le v.lo spett egr gent dir pres ecc.mo rev",
          "n nr num art artt fig figg cap capp vol voll p pp pag pagg tab § co lett",
          "ecc etc s.p.a s.r.l s.n.c s.a.s inc ltd a.c d.c u.e n.b p.s ca c.a sec feb mar apr mag giu lug ago sett "
          "ott nov dic jr",
          kItalian},
    Table{"pt", false, false,
          "sr sra srs sras srta dr dra drs dras prof profa profs eng engª arq exmo exma ilmo ilma d pe fr sto sta "
          "p.ex cf vs av trav gen gal cel cap ten cmte dep sen gov v.s v.exa v.ex.ª",
          "n nº núm no art arts fig figs cap caps vol vols p pp pág págs tab § tel séc",
          "etc s.a ltda lda cia inc ltd a.c d.c e.u.a u.e a.m p.m obs n.b p.s aprox jan fev abr jun jul ago set out "
          "nov dez jr",
          kPortuguese},
    Table{"nl", false, false,
          "dhr mevr mw mej dr drs prof ir ing mr ds st jhr bijv bv d.w.z dwz m.a.w o.a i.p.v m.b.t t.a.v t.o.v n.a.v "
          "i.v.m i.h.b z.g.a.n a.u.b resp incl excl evt ca vgl zgn vs plv wnd gen kol kap lt",
          "nr nrs art afb fig hfst h blz p pp dl vol tab § par",
          "enz etc e.d e.a jl b.v n.v inc ltd co v.chr n.chr a.s jr sr jan febr mrt apr aug sept okt nov dec", kDutch},
    Table{"sv", false, false,
          "dr prof hr fr fröken bl.a t.ex d.v.s dvs s.k f.d t.o.m fr.o.m ca jfr resp inkl exkl ev kapten st",
          "nr kap s sid fig tab bil st §", "etc osv m.m m.fl o.s.v o.d f.kr e.kr jr kl jan feb aug sept okt nov dec",
          kScandinavian},
    Table{"da", true, false,
          "dr prof hr fr frk bl.a f.eks d.v.s dvs s.k fhv ca jf jvf evt inkl ekskl pga iflg vedr mht cand mag st skt",
          "nr kap s sd fig tab bd stk §", "etc osv m.m m.fl o.l f.kr e.kr jr kl mio mia jan feb aug sept okt nov dec",
          kScandinavian},
    Table{"no", true, false,
          "dr prof hr fr frk bl.a f.eks d.v.s dvs s.k ca jf evt inkl ekskl pga iflg vedr mht cand mag st",
          "nr kap s fig tab bd §", "etc osv m.m m.fl o.l f.kr e.kr jr kl mill mrd jan feb aug sept okt nov des",
          kScandinavian},
    Table{"ru", false, false,
          "г-н г-жа гр проф акад доц д-р ул пр просп пер пл наб бул обл р-н пос дер св т.е т.к т.н т.о напр например "
          "см ср тов ген полк кап зам зав отв ред сост изд пр-т корп кв",
          "рис табл гл стр с п пп ст т вып № разд илл "
          "тел д",
          "им т.д т.п др пр г гг в вв н.э до.н.э руб коп тыс млн млрд мин сек ч кг янв февр апр авг сент окт нояб дек",
          kRussian},
    Table{"uk", false, false,
          "п пан проф акад доц д-р ім вул просп пл обл р-н м с-ще св т.зв напр див пор ген полк зав ред",
          "рис табл гл стор с п пп ст т вип № розд тел буд кв",
          "т.д т.п ін тощо р рр ст н.е до.н.е грн коп тис млн млрд хв сек", kUkrainian},
    Table{"pl", true, false,
          "dr prof mgr inż hab lek p pp pan św ks o s ul al pl os tzn tj np m.in tzw ww wg ok zob por red ur zm gen "
          "płk mjr kpt dyr im godz tel woj pow gm ds",
          "nr art rys tab rozdz str s t ust poz pkt r § w",
          "itd itp r w n.e p.n.e tys mln mld zł gr jr sp sp.z.o.o s.a", kPolish},
    Table{"cs", true, false,
          "p pí sl dr mgr ing bc mudr judr phdr rndr doc prof csc gen plk kpt sv ul nám tř tzv tj např resp popř příp "
          "ap cca viz srov zn odd předs p.t n.p",
          "č čís obr tab kap str s sv odst písm čl tel § r roč",
          "atd apod aj mj n.l př.n.l po.kr př.kr s.r.o a.s spol tis mil mld kč hal hod min st jr", kCzech},
    Table{"sk", true, false,
          "p pí sl dr mgr ing bc mudr judr phdr rndr doc prof gen plk kpt sv ul nám tzv tj napr resp príp cca vid "
          "porov",
          "č čís obr tab kap str s odst písm čl tel § r roč",
          "atď atd apod a.i n.l pred.n.l s.r.o a.s spol tis mil mld hod min st jr", kCzech},
    Table{"fi", true, false, "esim ks vrt mm ts ns prof tri tri ns huom puh", "nro s kpl fig luku §",
          "jne ym yms mrd milj tuh eaa jaa klo oy ab", ""},
    Table{"hu", true, false, "dr id ifj özv prof pl ill ún kb vö ld ", "sz old bek fej ábra §",
          "stb i.e i.sz kft rt zrt kb jan febr márc ápr máj jún júl aug szept okt nov dec", ""},
    Table{"tr", true, false, "dr prof doç yrd.doç av sn bay bn örn bkz alb gen müh",
          "no nr s sf şek tab böl md cilt c tel", "vb vd vs a.ş ltd şti m.ö m.s yy sn dk", ""},
};

void fill(WordSet& set, std::string_view words) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        if (end > 0) set.insert(words.substr(0, end));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
}

const std::map<std::string_view, LanguageRules>& all_rules() {
    static const auto rules = [] {
        std::map<std::string_view, LanguageRules> result;
        for (const Table& table : kTables) {
            LanguageRules& to = result[table.code];
            to.ordinals = table.ordinals;
            to.capital_nouns = table.capital_nouns;
            fill(to.always, table.always);
            fill(to.before_number, table.before_number);
            fill(to.often, table.often);
            fill(to.starters, table.starters);
        }
        // Without a language all lists' starters are used, except those that are parts of names elsewhere.
        WordSet& neutral = result[""].starters;
        for (const Table& table : kTables) fill(neutral, table.starters);
        for (const char* part :
             {"de", "la", "le", "los", "las", "el", "di", "da", "du", "al", "lo", "dos", "des", "del", "den"})
            neutral.erase(part);
        return result;
    }();
    return rules;
}

}  // namespace

std::string primary_language(std::string_view code) {
    const auto tag = spec::LanguageTag::find(code);
    if (!tag || !tag->known()) return {};
    return tag->language() == "nb" || tag->language() == "nn" ? "no" : tag->language();
}

const LanguageRules& language_rules(std::string_view code) {
    const auto& rules = all_rules();
    const auto found = rules.find(primary_language(code));
    return found == rules.end() ? rules.at("") : found->second;
}

}  // namespace dragoman::text
