import { describe, expect, it } from "vitest";
import { namesPayment } from "#core/gates/index.ts";

const paying = ["Pay", "Pay now", "Pay €12.50", "Pay bill", "Pay with card", "Buy", "Buy now", "Buy 2 tickets", "Order", "Order now", "Place order", "Place your order", "Checkout", "Check out", "Complete purchase", "Confirm payment", "Confirm and pay", "Submit order", "Make a payment", "Purchase", "Continue to payment: Pay", "Zahlungspflichtig bestellen", "Jetzt kaufen", "Jetzt kostenpflichtig bestellen", "Acheter", "Comprar ahora", "Order & pay", "Send money: transfer money", "ＰＡＹ ＮＯＷ"];
const other = ["Payments", "Payment methods", "Order history", "Order by date", "Orders", "Order status", "Pay slips", "Payslips", "Paystubs", "Buyers guide", "Download bill", "Older", "Sort order", "Billing", "Payroll", "My orders", "Border", "Display", "Repayment plan", "Purchase history", "Save", "Sign in", "Paypal help", "Order form", "In order to continue"];

describe("controls that pay, order or buy", () => {
  for (const name of paying.filter((each) => !/:/u.test(each))) it(`"${name}" pays`, () => expect(namesPayment(name, "button")).toBe(true));
  for (const name of other) it(`"${name}" does not`, () => expect(namesPayment(name, "button")).toBe(false));
});
