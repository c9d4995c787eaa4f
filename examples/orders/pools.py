"""Words that orders and customers are made of, look-alikes that a cleaner must leave alone among them. For `clean`."""

FIRST_NAMES = (
    "James", "Mary", "Robert", "Patricia", "John", "Jennifer", "Michael", "Linda", "David", "Elizabeth", "William",
    "Barbara", "Richard", "Susan", "Joseph", "Jessica", "Thomas", "Karen", "Daniel", "Nancy", "Matthew", "Lisa",
    "Anthony", "Betty", "Mark", "Sandra", "Donald", "Ashley", "Steven", "Emily", "Andrew", "Donna", "Joshua",
    "Michelle", "Kevin", "Carol", "Brian", "Amanda", "George", "Melissa",
    "Anne-Marie", "José", "René", "Zoë", "André", "Renée",
)  # fmt: skip

LAST_NAMES = (
    "Smith", "Johnson", "Williams", "Brown", "Jones", "Miller", "Davis", "Wilson", "Anderson", "Taylor", "Moore",
    "Jackson", "Martin", "Lee", "Thompson", "White", "Harris", "Clark", "Lewis", "Robinson", "Walker", "Young", "Allen",
    "King", "Wright", "Scott", "Hill", "Green", "Adams", "Nelson", "Baker", "Hall", "Campbell", "Mitchell", "Carter",
    "Roberts", "McDonald", "MacArthur", "O'Brien", "O'Connor", "van der Berg", "de la Cruz", "DeVito", "Null", "Nan",
    "Nunez-Blank", "Müller", "Núñez", "Sørensen", "Gonçalves", "Lefèvre",
)  # fmt: skip

STREETS = (
    "Elm St",
    "Oak Ave",
    "Maple Dr",
    "Cedar Ln",
    "Pine St",
    "2nd Ave",
    "Main St",
    "Lake Rd",
    "Hill Ct",
    "Park Blvd",
)

# City, state, first ZIP code, area code. Some names look like words or like typos of one another; all of them exist.
PLACES = (
    ("New York", "NY", 10001, "212"), ("Los Angeles", "CA", 90001, "213"), ("Chicago", "IL", 60601, "312"),
    ("Houston", "TX", 77002, "713"), ("Phoenix", "AZ", 85003, "602"), ("Philadelphia", "PA", 19102, "215"),
    ("San Antonio", "TX", 78205, "210"), ("San Diego", "CA", 92101, "619"), ("Austin", "TX", 78701, "512"),
    ("Columbus", "OH", 43215, "614"), ("Seattle", "WA", 98101, "206"), ("Denver", "CO", 80202, "303"),
    ("Boston", "MA", 2108, "617"), ("Cambridge", "MA", 2138, "617"), ("Newark", "NJ", 7102, "973"),
    ("Hartford", "CT", 6103, "860"), ("Providence", "RI", 2903, "401"), ("Burlington", "VT", 5401, "802"),
    ("Portland", "OR", 97201, "503"), ("Cortland", "NY", 13045, "607"), ("Madison", "WI", 53703, "608"),
    ("Addison", "TX", 75001, "972"), ("Nice", "CA", 95464, "707"), ("Normal", "IL", 61761, "309"),
    ("Boring", "OR", 97009, "503"), ("Truth or Consequences", "NM", 87901, "575"),
)  # fmt: skip

STATE_NAMES = {
    "NY": "New York", "CA": "California", "IL": "Illinois", "TX": "Texas", "AZ": "Arizona", "PA": "Pennsylvania",
    "OH": "Ohio", "WA": "Washington", "CO": "Colorado", "MA": "Massachusetts", "NJ": "New Jersey", "CT": "Connecticut",
    "RI": "Rhode Island", "VT": "Vermont", "OR": "Oregon", "WI": "Wisconsin", "NM": "New Mexico",
}  # fmt: skip

# Category: (product, SKU, typical price, typical weight in kg). "NA-" and "NULL-" codes are codes, not missing values.
PRODUCTS = {
    "Electronics": (
        ("USB Hub", "EL-0101", 24.9, 0.2),
        ("4K Monitor", "EL-0102", 1249.0, 6.5),
        ("iPhone Case", "EL-0103", 19.5, 0.1),
        ("Laptop 14", "EL-0104", 1899.0, 1.4),
        ("LED Desk Lamp", "EL-0105", 39.0, 1.2),
    ),
    "Home & Garden": (
        ("Salt & Pepper Mill", "HG-0201", 29.9, 0.6),
        ("Garden Hose", "HG-0202", 45.0, 3.5),
        ("Sofa Bed", "HG-0203", 1150.0, 48.0),
        ("Crème Brûlée Set", "HG-0204", 34.5, 1.8),
    ),
    "Books": (
        ("The Null Hypothesis", "BK-0301", 18.0, 0.4),
        ("Atlas of the World", "BK-0302", 79.0, 2.6),
        ("Nothing", "BK-0303", 12.5, 0.3),
    ),
    "Toys & Games": (
        ("Puzzle 1000", "TG-0401", 21.0, 0.9),
        ("Wooden Train", "TG-0402", 54.0, 2.2),
        ("Chess Set", "TG-0403", 36.0, 1.5),
    ),
    "Sports": (
        ("Yoga Mat", "SP-0501", 27.5, 1.1),
        ("Kettlebell", "SP-0502", 48.0, 12.0),
        ("e-Bike", "SP-0503", 2390.0, 22.5),
    ),
    "Grocery": (
        ("Café Crema Beans", "NA-0601", 16.9, 1.0),
        ("Olive Oil", "NA-0602", 14.5, 1.0),
        ("Green Tea", "NULL-7", 8.9, 0.3),
    ),
    "Office Supplies": (
        ("Paper A4", "OS-0701", 6.5, 2.5),
        ("Stapler", "OS-0702", 17.0, 0.4),
        ("Desk Chair", "OS-0703", 1020.0, 17.5),
    ),
}

CATEGORY_WEIGHTS = (24, 20, 14, 12, 12, 10, 8)
DISCOUNTS = ("0%", "5%", "10%", "15%", "20%")
PAYMENTS = ("Credit Card", "PayPal", "Bank Transfer", "Gift Card")
STATUSES = ("delivered", "shipped", "pending", "cancelled", "returned")

# Free text that holds the very marks of dirt, and is right as it stands.
NOTES = (
    "leave at door - thanks", "gift: N/A on the price tag please", "none of the boxes may be stacked",
    "unknown buzzer, call first", "ring twice", "deliver after 5 pm", "customer wrote YES in capitals", "Café pickup",
    "size 1,5 or 2.0?", "paid $20 of $25 in store", "call 212 before noon", "was 03/04 now 05/04", "fragile",
)  # fmt: skip
