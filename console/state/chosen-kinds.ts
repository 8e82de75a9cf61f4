/** The point type that was chosen last in each realm: other views begin with it. */
const chosen = new Map<string, string>();

export const chosenKind = (realm: string): string | undefined => chosen.get(realm);

export const chooseKind = (realm: string, kind: string): void => {
  chosen.set(realm, kind);
};

export const forgetKinds = (): void => chosen.clear();
