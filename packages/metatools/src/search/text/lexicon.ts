import { stem } from "./stem.ts";

// Synonyms in talk about software, independent of any tools. Each line is one meaning.
const GROUPS = `
get read fetch retrieve load open obtain
show display view print see
list enumerate browse
create add make new insert generate
open create
sum add plus
repeat echo
write save store persist put
delete remove erase destroy drop discard forget rm
update edit modify change alter patch revise
replace overwrite substitute
search find locate lookup seek grep google
query select filter
send post submit publish deliver
reply respond answer
receive inbox incoming
run execute evaluate invoke call launch perform
start begin launch initiate
watch monitor track observe
stop end terminate kill halt cancel abort
restart reboot reload
undo revert reset rollback
move rename relocate transfer mv
copy duplicate clone cp
compare diff difference differ
convert transform translate
merge combine join concatenate
split divide separate
append attach
upload import ingest
download export
install deploy setup
upgrade update
enable activate
disable deactivate
connect link associate
disconnect unlink detach
assign allocate grant
share invite
approve accept confirm
reject decline refuse deny
login authenticate signin auth
check verify validate test
analyze inspect examine
count number total amount
sort order rank
summarize summary digest
describe explain detail
schedule plan
book reserve
buy purchase order
pay payment charge
disk storage
usage size
performance speed slow fast
status state progress finished
popup dialog alert modal
file document
doc document manual
directory folder dir
path location
image picture photo pic img
video movie clip
audio sound music
url link webpage website web page
internet online
info information metadata
setting option configuration config preference
history log
time date timestamp
database db
row record
column field attribute
table sheet
schema structure
message chat msg dm
email mail
user person member account
team group organization org
customer client
task todo
ticket issue bug
event meeting appointment
calendar agenda
relation relationship link edge
node entity vertex
graph network
remember memorize memory recall
fact knowledge observation know
tag label
comment remark
branch fork
commit revision
repository repo
code source
javascript js
typescript ts
python py
shell terminal bash command
error failure exception
price cost
weather forecast
place location address
route directions
hotel accommodation lodging stay
flight airline airfare plane
trip travel vacation itinerary tour
restaurant dining eatery
recipe cook meal dish
food grocery
shop store shopping product
discount coupon deal promo
stock share equity ticker
crypto cryptocurrency coin token
currency exchange forex
loan mortgage credit
invoice bill receipt
job career vacancy employment
resume cv
house property estate apartment rental
car vehicle automobile
song track music
film movie cinema
news article headline
paper research publication study
course lesson class tutorial
quiz question trivia
dictionary definition meaning
exercise workout fitness
doctor medical health
diet nutrition calorie
legal law
sport match score
game play
pdf document
chart plot graph diagram visualization draw
spreadsheet excel
slide presentation
podcast episode
domain dns hostname
certificate tls ssl
container docker pod
cluster kubernetes
server host machine
process job
log trace
metric measurement statistic
alert alarm notification
secret password credential token
key shortcut
variable environment env
package dependency library
function method procedure
class type
test spec
build compile
release version
review feedback
milestone sprint
board kanban
page screen
button click press tap
form input
screenshot capture snapshot
browser tab
scroll swipe
cell range
string text
recursive nested
multiple several many
entire complete full whole
current now present
permission access allowed permit
tree hierarchy
pattern wildcard glob regex
`;

/** For each stem, the stems that may stand for it. */
export const SYNONYMS: ReadonlyMap<string, readonly string[]> = synonyms(GROUPS);

function synonyms(groups: string): Map<string, string[]> {
	const table = new Map<string, Set<string>>();
	for (const line of groups.trim().split("\n")) {
		const stems = line.split(" ").map(stem);
		for (const word of stems) {
			const others = table.get(word) ?? new Set();
			for (const other of stems) if (other !== word) others.add(other);
			table.set(word, others);
		}
	}
	return new Map([...table].map(([word, others]) => [word, [...others]]));
}
