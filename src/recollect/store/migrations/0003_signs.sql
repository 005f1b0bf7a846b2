-- Bits instead of one truth: 1 asks something, 2 tells a time.
ALTER TABLE memory RENAME COLUMN asks TO signs;
UPDATE memory SET signs = signs & 1;
