/** The names under which PostgreSQL lists connections: of a service, also while it runs an urgent transaction, and of maintenance. */
export const ordinaryName = "tocsin";
export const urgentName = "tocsin urgent";
export const maintenanceName = "tocsin maintenance";
