//! The one table: which properties search engines ask of which types of schema.org.
//!
//! Source: Google Search Central, "Structured data markup that Google Search supports", read as of 2025; types it has given up since
//! (HowTo, course info, claim reviews, book actions) are left out, but that a book says who wrote it. A property that only some uses of
//! a type need stands with those uses.

/// Where a thing has to stand for a rule to hold.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Anywhere,
    /// As part of no other thing: what a page is about.
    Alone,
    /// As a value of a property of a type; the first type of a rule stands for all of them.
    Inside(&'static [(&'static str, &'static str)]),
}

/// What is asked of a type.
pub(super) struct TypeRule {
    /// The type, and those that are treated alike.
    pub(super) types: &'static [&'static str],
    pub(super) place: Place,
    /// It holds only if one of these is there; if there are none, always.
    pub(super) when: &'static [&'static str],
    /// Names, paths (`author.name`) and alternatives (`text|image`).
    pub(super) required: &'static [&'static str],
    pub(super) recommended: &'static [&'static str],
}

const fn rule(
    types: &'static [&'static str],
    place: Place,
    required: &'static [&'static str],
    recommended: &'static [&'static str],
) -> TypeRule {
    TypeRule { types, place, when: &[], required, recommended }
}

use Place::{Alone, Anywhere, Inside};

/// In the order in which they are tried; several can hold for one thing.
#[rustfmt::skip]
pub(super) const RULES: &[TypeRule] = &[
    rule(&["Article", "NewsArticle", "BlogPosting", "TechArticle", "Report", "ScholarlyArticle", "LiveBlogPosting"], Alone, &[],
        &["headline", "image", "author", "author.name", "datePublished", "dateModified"]),
    rule(&["BreadcrumbList"], Anywhere, &["itemListElement"], &[]),
    rule(&["ListItem"], Inside(&[("BreadcrumbList", "itemListElement")]), &["position", "name|item.name"], &[]),
    rule(&["Product", "IndividualProduct", "ProductModel", "Vehicle", "Car"], Alone, &["name", "offers|review|aggregateRating"],
        &["image", "description", "brand", "offers", "review", "aggregateRating"]),
    rule(&["ProductGroup"], Alone, &["name", "productGroupID", "hasVariant"], &["variesBy", "description", "brand"]),
    rule(&["Offer"], Inside(&[("Product", "offers"), ("SoftwareApplication", "offers")]),
        &["price|priceSpecification.price"], &["priceCurrency|priceSpecification.priceCurrency"]),
    rule(&["AggregateOffer"], Inside(&[("Product", "offers")]), &["lowPrice", "priceCurrency"], &["highPrice", "offerCount"]),
    rule(&["Review", "CriticReview", "UserReview", "EmployerReview"], Anywhere,
        &["author", "author.name", "reviewRating", "reviewRating.ratingValue"], &["datePublished"]),
    rule(&["Review", "CriticReview", "UserReview", "EmployerReview"], Alone, &["itemReviewed", "itemReviewed.name"], &[]),
    rule(&["AggregateRating", "EmployerAggregateRating"], Anywhere, &["ratingValue", "ratingCount|reviewCount"], &[]),
    rule(&["AggregateRating", "EmployerAggregateRating"], Alone, &["itemReviewed", "itemReviewed.name"], &[]),
    rule(&["Event", "BusinessEvent", "ChildrensEvent", "ComedyEvent", "CourseInstance", "DanceEvent", "EducationEvent", "ExhibitionEvent",
           "Festival", "FoodEvent", "LiteraryEvent", "MusicEvent", "ScreeningEvent", "SocialEvent", "SportsEvent", "TheaterEvent", "VisualArtsEvent"],
        Alone, &["name", "startDate", "location", "location.address|location.url"],
        &["description", "endDate", "eventStatus", "image", "offers", "organizer", "performer"]),
    rule(&["FAQPage"], Anywhere, &["mainEntity"], &[]),
    rule(&["Question"], Inside(&[("FAQPage", "mainEntity")]), &["name", "acceptedAnswer", "acceptedAnswer.text"], &[]),
    rule(&["QAPage"], Anywhere, &["mainEntity"], &[]),
    rule(&["Question"], Inside(&[("QAPage", "mainEntity")]), &["name", "answerCount", "acceptedAnswer|suggestedAnswer"],
        &["author", "datePublished", "text"]),
    rule(&["Answer"], Inside(&[("Question", "suggestedAnswer")]), &["text"], &[]),
    rule(&["JobPosting"], Anywhere, &["title", "description", "datePosted", "hiringOrganization", "jobLocation|applicantLocationRequirements"],
        &["baseSalary", "employmentType", "identifier", "validThrough"]),
    rule(&["LocalBusiness", "AutoDealer", "AutoRepair", "Bakery", "BarOrPub", "BeautySalon", "BookStore", "CafeOrCoffeeShop", "ClothingStore",
           "Dentist", "ElectronicsStore", "FastFoodRestaurant", "FinancialService", "FurnitureStore", "GroceryStore", "HairSalon", "HardwareStore",
           "HealthAndBeautyBusiness", "HomeAndConstructionBusiness", "Hotel", "Library", "LodgingBusiness", "MedicalClinic", "Pharmacy", "Plumber",
           "ProfessionalService", "RealEstateAgent", "Restaurant", "ShoppingCenter", "SportsActivityLocation", "Store", "TravelAgency", "VeterinaryCare"],
        Alone, &["name", "address"], &["telephone", "url", "geo", "openingHoursSpecification|openingHours"]),
    rule(&["Organization", "Corporation", "NewsMediaOrganization", "OnlineStore", "OnlineBusiness", "EducationalOrganization", "NGO"], Alone, &[],
        &["name", "url", "logo"]),
    rule(&["Recipe"], Alone, &["name", "image"],
        &["author", "datePublished", "description", "prepTime", "cookTime", "totalTime", "recipeCategory", "recipeCuisine", "recipeIngredient",
          "recipeInstructions", "recipeYield", "nutrition.calories", "aggregateRating", "keywords"]),
    rule(&["VideoObject"], Anywhere, &["name", "thumbnailUrl", "uploadDate"], &["description", "contentUrl|embedUrl", "duration"]),
    rule(&["Book"], Alone, &[], &["name", "author"]),
    rule(&["Course"], Alone, &["name", "description"], &["provider"]),
    rule(&["Dataset"], Alone, &["name", "description"], &["creator", "license", "distribution|url"]),
    rule(&["SoftwareApplication", "MobileApplication", "WebApplication", "VideoGame"], Alone,
        &["name", "offers", "offers.price|offers.lowPrice", "aggregateRating|review"], &["applicationCategory", "operatingSystem"]),
    rule(&["ProfilePage"], Anywhere, &["mainEntity"], &["dateCreated", "dateModified"]),
    rule(&["Person", "Organization"], Inside(&[("ProfilePage", "mainEntity")]), &["name|alternateName"], &["image", "description"]),
    rule(&["DiscussionForumPosting", "SocialMediaPosting"], Alone, &["author", "author.name", "datePublished", "text|image|video|sharedContent"],
        &["headline", "url", "comment"]),
    rule(&["Comment"], Inside(&[("DiscussionForumPosting", "comment")]), &["author", "text|image|video", "datePublished"], &[]),
    TypeRule {
        types: &["ImageObject"], place: Anywhere, when: &["license", "acquireLicensePage", "copyrightNotice", "creditText"],
        required: &["contentUrl|url"], recommended: &["license", "acquireLicensePage", "creator|creditText|copyrightNotice"],
    },
    rule(&["Movie"], Alone, &["name", "image"], &["director", "dateCreated|datePublished"]),
    rule(&["VacationRental"], Alone, &["name", "identifier", "image", "containsPlace", "latitude|geo.latitude", "longitude|geo.longitude"],
        &["address", "aggregateRating"]),
    rule(&["Quiz"], Alone, &["hasPart"], &["about"]),
    rule(&["MathSolver"], Alone, &["potentialAction", "url", "usageInfo"], &[]),
];
