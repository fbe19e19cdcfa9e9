import { describe, expect, it } from "vitest";
import { namesPayment, namesPaymentField, paymentReason } from "#core/gates/index.ts";
import { button, field, link, page } from "../../fixtures/makers/page.ts";

const paying = [
  "Pay",
  "Pay now",
  "Pay €12.50",
  "Pay bill",
  "Pay with card",
  "Buy",
  "Buy now",
  "Buy 2 tickets",
  "Order",
  "Order now",
  "Place order",
  "Place your order",
  "Checkout",
  "Check out",
  "Complete purchase",
  "Confirm payment",
  "Confirm and pay",
  "Submit order",
  "Make a payment",
  "Purchase",
  "Continue to payment: Pay",
  "Zahlungspflichtig bestellen",
  "Jetzt kaufen",
  "Jetzt kostenpflichtig bestellen",
  "Acheter",
  "Comprar ahora",
  "Order & pay",
  "Send money: transfer money",
  "ＰＡＹ ＮＯＷ",
  "Send £500 to Bob",
  "Subscribe for £9.99",
  "Transfer 1,200.00 EUR",
  "Yes, give $25",
  "Wire USD 300",
  "Upgrade for 12 € a month",
  "Confirm (₹ 4,999)",
  "Top up kr 200",
  "500 € überweisen",
  "20 Euro spenden",
  "Jetzt für 9,99 € abonnieren",
  "Envoyer 40 €",
  "S'abonner pour 9,99 €",
  "Enviar 300 € a Ana",
  "Invia 50 €",
  "Stuur € 15",
  "Wyślij 200 zł",
  "Skicka 150 kr",
  "Отправить 500 ₽",
  "¥3,000 送金する",
  "购买",
  "Betala",
  "Kup teraz",
];
const other = [
  "Payments",
  "Payment methods",
  "Order history",
  "Order by date",
  "Orders",
  "Order status",
  "Pay slips",
  "Payslips",
  "Paystubs",
  "Buyers guide",
  "Download bill",
  "Older",
  "Sort order",
  "Billing",
  "Payroll",
  "My orders",
  "Border",
  "Display",
  "Repayment plan",
  "Purchase history",
  "Save",
  "Sign in",
  "Paypal help",
  "Order form",
  "In order to continue",
  "Send",
  "Send message",
  "Subscribe",
  "Subscribe to the newsletter",
  "Give feedback",
  "Confirm",
  "View £500 transfer",
  "Under £50",
  "£20 to £50",
  "Cancel £9.99 subscription",
  "Transfer history",
  "Senden",
  "Enviar",
  "Join 500 members",
  "Start 30-day plan",
  "Get 20 results",
];

describe("controls that pay, order or buy", () => {
  for (const name of paying.filter((each) => !/:/u.test(each))) it(`"${name}" pays`, () => expect(namesPayment(name, "button")).toBe(true));
  for (const name of other) it(`"${name}" does not`, () => expect(namesPayment(name, "button")).toBe(false));
});

describe("fields that take a means of payment", () => {
  for (const name of ["Card number", "Kreditkarte", "Numéro de la carte", "Número do cartão", "IBAN", "CVC", "カード番号"])
    it(`"${name}" does`, () => expect(namesPaymentField(name)).toBe(true));
  for (const name of ["Library card number", "Membership card number", "Number", "Phone number", "Card colour"])
    it(`"${name}" does not`, () => expect(namesPaymentField(name)).toBe(false));
});

describe("a page that the browser says takes a payment", () => {
  const till = page("Till", [
    field("Number", { payment: true }),
    button("Continue"),
    button("Weiter"),
    button("Cancel"),
    link("Help"),
    link("Next", { payment: true }),
  ]);
  const reason = (tool: string, args: Record<string, unknown>) => paymentReason({ tool, args }, till);

  it.each(["Continue", "Weiter"])("asks before %j is pressed", (name) =>
    expect(reason("browser_click", { target: { role: "button", name } })).toBe('this page takes a payment ("Number")'),
  );
  it("asks however it is pressed", () => {
    expect(reason("browser_download", { target: { role: "button", name: "Continue" } })).not.toBeNull();
    expect(reason("browser_press", { key: "Enter" })).not.toBeNull();
    expect(reason("browser_click", { target: { role: "link", name: "Next" } })).not.toBeNull();
  });
  it("lets the way back and other places be pressed", () => {
    expect(reason("browser_click", { target: { role: "button", name: "Cancel" } })).toBeNull();
    expect(reason("browser_click", { target: { role: "link", name: "Help" } })).toBeNull();
    expect(reason("browser_fill", { target: { role: "textbox", name: "Number" }, text: "1" })).toBeNull();
  });
});
