export { type Certificate, makeCertificate } from "./make-certificate.ts";
export { type RunningSite, type ServedSites, type SiteModule, serveSites } from "./serve-sites.ts";
