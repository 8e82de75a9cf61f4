import { createContext } from 'preact';

/** The faults of the form around a field, by the field's name. */
export const FaultContext = createContext<Map<string, string>>(new Map());
